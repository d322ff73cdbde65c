/** Every stage that a process can run, in the order in which one process opens them. */
export const STAGE_NAMES = ['workspace', 'ingest', 'evidence', 'trust', 'reconcile', 'otlp', 'console'] as const;

/** One of them. */
export type StageName = (typeof STAGE_NAMES)[number];
