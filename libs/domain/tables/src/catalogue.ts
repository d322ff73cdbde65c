import { APPROVALS } from './approvals.ts';
import {
  EVIDENCE_ACCESSES,
  EVIDENCE_ASSETS,
  EVIDENCE_BINDINGS,
  EVIDENCE_CONTENTS,
  EVIDENCE_DETAILS,
  EVIDENCE_DUES,
  EVIDENCE_EXPIRIES,
  EVIDENCE_LINKS,
  EVIDENCE_ORIGINALS,
  EVIDENCE_PURGES,
  EVIDENCE_REDACTIONS,
  EVIDENCE_SEGMENT_CONTENTS,
  EVIDENCE_SEGMENTS,
  EVIDENCE_STATES,
} from './evidence.ts';
import { DEAD_LETTERS, OUTBOX } from './jobs.ts';
import { ANSWERED_CLAIMS, SAVED_VIEWS } from './lists.ts';
import {
  COMMITS,
  HASH_KEYS,
  HEADS,
  IDEMPOTENCY,
  LEAVES,
  LEDGER_CHECKS,
  LEDGER_KEYS,
  TILES,
  WORKSPACE_ENTRIES,
} from './log.ts';
import { CONDITIONS, DELIVERIES, NOTIFICATION_PLACE, NOTIFICATIONS, TARGET_STATES, TARGETS } from './notifications.ts';
import {
  OTLP_CALLS,
  OTLP_FATES,
  OTLP_IGNORED,
  OTLP_IGNORED_BEFORE,
  OTLP_INBOX,
  OTLP_TRACE_PARTS,
  OTLP_TRACES,
  OTLP_UNATTACHED,
  OTLP_WAITING,
} from './otlp.ts';
import { COUNTED_LISTS, COUNTED_LOG, COUNTED_RUNS, DAILY_COUNTS } from './overview.ts';
import {
  RUN_FINDINGS,
  RUN_RECORDS,
  RUN_REFERENCES,
  RUN_STATES,
  RUNS,
  TRIAGE_STEPS,
  TRIAGE_TEXTS,
} from './reconciliation.ts';
import { OF_A_RECORD, SEALED } from './record.ts';
import { STREAM_STATES, STREAMS } from './streams.ts';
import type { RowOf, Table } from './table.ts';
import {
  ANCHOR_SECRETS,
  ANCHORS,
  ATTEMPTS,
  ATTESTATION_COUNTS,
  COSIGNATURES,
  PUBLISHED,
  TRUST_LOOKS,
  WITNESS_STATES,
} from './trust.ts';
import { WORD_INDEXES, WORD_TOKENS } from './words.ts';
import { CONSOLE_SESSIONS, CREDENTIALS, MEMBERS, PROVIDER_LINKS, TOKEN_USES, TOKENS } from './workspace.ts';

/** Every table of a workspace. Those that an append inserts into stand in the order of insertion. */
const ALL = [
  HEADS,
  LEAVES,
  COMMITS,
  TILES,
  EVIDENCE_CONTENTS,
  EVIDENCE_ASSETS,
  EVIDENCE_ORIGINALS,
  EVIDENCE_SEGMENTS,
  EVIDENCE_SEGMENT_CONTENTS,
  EVIDENCE_DETAILS,
  EVIDENCE_ACCESSES,
  EVIDENCE_BINDINGS,
  EVIDENCE_LINKS,
  EVIDENCE_REDACTIONS,
  EVIDENCE_EXPIRIES,
  EVIDENCE_DUES,
  EVIDENCE_PURGES,
  EVIDENCE_STATES,
  ...Object.values(OF_A_RECORD),
  SEALED,
  ANSWERED_CLAIMS,
  IDEMPOTENCY,
  WORKSPACE_ENTRIES,
  HASH_KEYS,
  LEDGER_KEYS,
  TOKENS,
  OUTBOX,
  ANCHOR_SECRETS,
  MEMBERS,
  CREDENTIALS,
  PROVIDER_LINKS,
  TOKEN_USES,
  CONSOLE_SESSIONS,
  DEAD_LETTERS,
  OTLP_CALLS,
  OTLP_INBOX,
  OTLP_WAITING,
  OTLP_UNATTACHED,
  OTLP_TRACES,
  OTLP_TRACE_PARTS,
  OTLP_FATES,
  OTLP_IGNORED,
  OTLP_IGNORED_BEFORE,
  RUNS,
  RUN_REFERENCES,
  RUN_STATES,
  RUN_RECORDS,
  RUN_FINDINGS,
  TRIAGE_STEPS,
  TRIAGE_TEXTS,
  PUBLISHED,
  COSIGNATURES,
  ANCHORS,
  ATTEMPTS,
  ATTESTATION_COUNTS,
  TRUST_LOOKS,
  WITNESS_STATES,
  LEDGER_CHECKS,
  WORD_INDEXES,
  WORD_TOKENS,
  COUNTED_LOG,
  DAILY_COUNTS,
  COUNTED_RUNS,
  COUNTED_LISTS,
  SAVED_VIEWS,
  TARGETS,
  TARGET_STATES,
  NOTIFICATIONS,
  DELIVERIES,
  CONDITIONS,
  NOTIFICATION_PLACE,
  STREAMS,
  STREAM_STATES,
  APPROVALS,
] as const;

/** The name of a table of a workspace. */
export type TableName = (typeof ALL)[number]['name'];

/** The row of each table. */
export type Rows = { readonly [T in (typeof ALL)[number] as T['name']]: RowOf<T> };

/** Every table of a workspace by its name. */
export const TABLES = Object.fromEntries(ALL.map((one) => [one.name, one])) as unknown as {
  readonly [Name in TableName]: Table<Rows[Name], Name>;
};

/** The names, in the order of the catalogue. */
export const TABLE_NAMES: readonly TableName[] = ALL.map(({ name }) => name);
