import type { StageName } from './stage-names.ts';

/** The processes of the split form and their stages, and the one process that has them all. */
export const ROLES = {
  'all-in-one': ['workspace', 'ingest', 'evidence', 'trust', 'reconcile', 'otlp', 'console'],
  'ingest-api': ['workspace', 'ingest', 'console'],
  'evidence-store': ['evidence'],
  'trust-worker': ['trust'],
  'reconciliation-worker': ['reconcile'],
  'otlp-ingester': ['otlp'],
} as const satisfies Record<string, readonly StageName[]>;

/** The name of a process with certain stages. */
export type Role = keyof typeof ROLES;

/** Every role. */
export const ROLE_NAMES = Object.keys(ROLES) as readonly Role[];

/** What a process calls itself: its role, or `custom` where no role has exactly these stages. */
export function roleOf(stages: readonly StageName[]): Role | 'custom' {
  const given = formatStages(stages);
  return ROLE_NAMES.find((role) => formatStages(ROLES[role]) === given) ?? 'custom';
}

function formatStages(stages: readonly StageName[]): string {
  return stages.toSorted().join();
}
