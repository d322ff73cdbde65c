import { hashCoreText } from '@answer-evidence/commitments';
import { canonicalize } from '@answer-evidence/encoding';
import { EXPIRIES, type TextExpiryRow } from '@answer-evidence/tables';
import type { AppendCommand } from '../append-command.ts';
import { coreOf } from '../stored-cores.ts';

/** The expiry of a record's contents, prepared when it had `atSequence` events and had expired `atExpiries` times. */
type PreparedExpiry = {
  readonly row: TextExpiryRow;
  readonly atSequence: number;
  readonly atExpiries: number;
  /** How many holds had been placed; none of those in force covered the record. */
  readonly atHolds: number;
  /** Whatever of the record and its events is sealed. */
  readonly objectIds: readonly string[];
};

/**
 * Expires what a record and its events have sealed. Under the lock anything that came in between sends it back: an
 * extension of the retention wins, also when it comes just before, and so does a hold; another sweep has done the work;
 * and a new event may have sealed more.
 */
export function createExpiryCommand({
  row,
  atSequence,
  atExpiries,
  atHolds,
  objectIds,
}: PreparedExpiry): AppendCommand {
  const hash = hashCoreText('text_expired', canonicalize(coreOf(EXPIRIES, row)));
  return {
    subject: row.record_id,
    entryIds: [row.id],
    settingsVersion: null,
    reads: { recordId: row.record_id, series: 'hold_placed' },
    sizeBytes: 1_000,
    decide(view) {
      const state = view.findRecord(row.record_id);
      if (state === undefined || state.sequence !== atSequence || state.expiries !== atExpiries)
        return { kind: 'reprepare' };
      if (view.lastOf('hold_placed') !== atHolds) return { kind: 'reprepare' };
      // The leaf's own time says that the retention had passed; a clock that was put back does not make it earlier.
      if (view.at <= row.retained_until) return { kind: 'reprepare' };
      return {
        kind: 'append',
        entries: [{ type: 'text_expired', id: row.id, subject: row.record_id, seq: 0, hash }],
        writes: [
          { kind: 'insert', table: 'text_expiries', row },
          ...objectIds.map((objectId) => ({ kind: 'erase_sealed', objectId }) as const),
        ],
      };
    },
  };
}
