import { bigint, integer, nullable, table, text, uuid } from './table.ts';

/** How far the log has been counted, and what sweeps held back then. It follows from the rest, and may be lost. */
export const COUNTED_LOG = table('counted_logs', {
  key: [],
  columns: {
    /** The leaves below it are in the counts. */
    tree_size: bigint,
    counted_at: bigint,
    /** JSON of `{what, due, kept}` for each sweep that waits for an operator. */
    holds_json: text,
  },
});

/** Answers of one application that were recorded on one day, by what became of them, and readings on that day. */
export const DAILY_COUNTS = table('daily_counts', {
  key: ['day', 'application_key'],
  columns: {
    /** Days since 1970. */
    day: integer,
    application_key: text,
    recorded: bigint,
    corrected: bigint,
    voided: bigint,
    redacted: bigint,
    readings: bigint,
  },
});

/** A completed run, unless a newer one covers its window. */
export const COUNTED_RUNS = table('counted_runs', {
  key: ['run_id'],
  columns: {
    run_id: uuid,
    application_key: text,
    environment: text,
    match_on: text,
    window_start: bigint,
    window_end: bigint,
    findings: bigint,
    missing: bigint,
    oldest_missing_at: nullable(bigint),
  },
});

/** The references of a counted run that are of one day. */
export const COUNTED_LISTS = table('counted_lists', {
  key: ['run_id', 'day'],
  columns: {
    run_id: uuid,
    /** Days since 1970. */
    day: integer,
    application_key: text,
    listed: bigint,
    missing: bigint,
  },
});
