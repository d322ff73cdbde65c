import type { RangeTask } from '@answer-evidence/postgres';

/** A range of a ledger for a thread, and what opens the database and its secrets there. */
export type CheckTask = RangeTask & { readonly databaseUrl: string; readonly masterKey: Uint8Array };
