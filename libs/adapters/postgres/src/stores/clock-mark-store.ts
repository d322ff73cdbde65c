import type pg from 'pg';
import { TOKEN_ANCHORS } from '@answer-evidence/contracts';
import type { ClockMarkStore } from '@answer-evidence/ports';
import { queryOnce, readRows, writeInstallation } from '../session.ts';

/** How many of the newest cosignatures and time-stamps are looked at. */
const ATTESTATIONS_MAX = 100;
const TOKEN_TYPES = TOKEN_ANCHORS.map((type) => `'${type}'`).join(', ');

/** What the installation knows of the time. `relayPool` is of the role that sees the times of all logs. */
export function createClockMarkStore(pool: pg.Pool, relayPool: pg.Pool): ClockMarkStore {
  return {
    async find() {
      const { rows } = await queryOnce<{ passed_at: number; confirmations: number }>(pool, {
        name: 'clock_mark',
        text: 'select passed_at, confirmations from answer_evidence.clock_marks',
      });
      const [row] = rows;
      return row && { passedAt: row.passed_at, confirmations: row.confirmations };
    },
    async advance(passedAt) {
      await queryOnce(pool, {
        name: 'advance_clock_mark',
        text: `insert into answer_evidence.clock_marks as m (passed_at) values ($1)
          on conflict (singleton) do update set passed_at = excluded.passed_at where m.passed_at < excluded.passed_at`,
        values: [passedAt],
      });
    },
    async confirm(passedAt) {
      await writeInstallation(pool, (query) =>
        query(
          'confirm_clock_mark',
          `insert into answer_evidence.clock_marks as m (passed_at, confirmations) values ($1, 1)
             on conflict (singleton) do update
               set passed_at = excluded.passed_at, confirmations = m.confirmations + 1`,
          [passedAt],
        ),
      );
    },
    async lastEntryAt() {
      const { rows } = await queryOnce<{ last_at: number | null }>(relayPool, {
        name: 'clock_last_entry',
        text: 'select max(last_at) as last_at from answer_evidence.ledger_heads',
      });
      return rows[0]?.last_at ?? undefined;
    },
    async lastAttestedAt(workspaceId) {
      const [newest] = await readRows<{ at: number | null }>(
        pool,
        'clock_last_attestation',
        `select greatest(
              (select max(least(c.received_at,
                  ('x' || encode(substr(c.signature, 1, 8), 'hex'))::bit(64)::bigint::numeric * 1000000))
                from (select * from answer_evidence.cosignatures where workspace_id = $1
                  order by tree_size desc limit ${ATTESTATIONS_MAX}) c),
              (select max(least(a.at, a.anchored_at))
                from (select t.* from answer_evidence.anchor_attempts t
                  join answer_evidence.anchors n on n.workspace_id = $1 and n.id = t.anchor
                  where t.workspace_id = $1 and t.outcome = 'confirmed' and n.type in (${TOKEN_TYPES})
                  order by n.tree_size desc limit ${ATTESTATIONS_MAX}) a))::bigint as at`,
        [workspaceId],
      );
      return newest?.at ?? undefined;
    },
  };
}
