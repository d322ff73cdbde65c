import type { CheckResult, ReconciliationCheckResult } from '@answer-evidence/contracts';
import { formatTerminalText } from './terminal-text.ts';

/** A check of whatever is verified. */
type ShownCheck = CheckResult | ReconciliationCheckResult;

const OUTCOMES = ['PASS', 'FAIL', 'SKIP', 'NA'] as const;
const INDENT = ' '.repeat(6);

/** Each check with its outcome, what it found, and what it does not prove; then how many came to which outcome. */
export function formatChecks(checks: readonly ShownCheck[]): string {
  return `${checks.map(formatCheck).join('')}${formatCounts(checks)}\n`;
}

function formatCheck(check: ShownCheck): string {
  const compared =
    check.compared === null ? [] : [`expected ${check.compared.expected}`, `actual   ${check.compared.actual}`];
  const lines = [check.detail, ...compared, `Limit: ${check.does_not_prove}`];
  const head = `${check.outcome.padEnd(4)}  ${check.check}\n`;
  return head + lines.map((line) => `${INDENT}${formatTerminalText(line)}\n`).join('');
}

/** Counts, and the names of what was not decided: no verdict is drawn from several outcomes. */
function formatCounts(checks: readonly ShownCheck[]): string {
  const counts = OUTCOMES.map((outcome) => {
    const names = checks.filter((check) => check.outcome === outcome).map(({ check }) => check);
    const undecided = outcome === 'SKIP' && names.length > 0 ? ` (${names.join(', ')})` : '';
    return `${names.length} ${outcome}${undecided}`;
  });
  return counts.join(', ');
}
