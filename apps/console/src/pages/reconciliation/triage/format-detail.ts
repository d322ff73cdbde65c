import type { ReconciliationFinding } from '@answer-evidence/contracts';

/** The members of a detail, one per line. */
export function formatDetail(detail: ReconciliationFinding['detail']): string {
  return Object.entries(detail)
    .map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
    .join('\n');
}
