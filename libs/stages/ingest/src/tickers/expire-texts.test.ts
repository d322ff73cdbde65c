import { beforeAll, describe, expect, it } from '@jest/globals';
import { formatTimestamp } from '@answer-evidence/encoding';
import { createHashKeys } from '@answer-evidence/preparation';
import { DAY_MICROS } from '@answer-evidence/testing';
import type { IngestDeps } from '../deps.ts';
import { appendEvent, createRecord, type IngestTest, interrupted, openIngest, readRecord } from '../fixtures/ingest.ts';
import { prepareEvent } from '../prepare/prepare-event.ts';
import { expireTextsTicker } from './expire-texts.ts';

const running = new AbortController().signal;
const LOST = '01a2f3b4-0000-7000-8000-000000000000';
const REFS = { semantic_refs: [{ concept: 'x' }], source_refs: [{ source_ref_id: 'faq', source_name: 'faq.md' }] };

function sweep(deps: IngestDeps): Promise<void> {
  return expireTextsTicker(deps).run(running);
}

/** How many leaves there are of a type. */
async function leavesOf({ logs, workspace }: IngestTest, recordId: string, type: string): Promise<number> {
  const leaves = await logs.leavesOf(workspace.id, recordId, Number.MAX_SAFE_INTEGER);
  return leaves.filter((leaf) => leaf.type === type).length;
}

async function sealedOf({ records, workspace }: IngestTest, recordId: string): Promise<number> {
  const stored = await records.find(workspace.id, recordId);
  return [stored?.sealed, ...(stored?.events ?? []).map(({ sealed }) => sealed)].filter(Boolean).length;
}

/** An answer that is kept for a day, with a correction whose text is kept as long. */
async function recordForADay(stage: IngestTest): Promise<string> {
  const { id } = await createRecord(stage, {
    ...REFS,
    retention_until: formatTimestamp(stage.clock.nowMicros() + DAY_MICROS),
  });
  await appendEvent(stage, id, {
    event_type: 'correction_appended',
    reason: 'was wrong',
    payload: { corrected_answer_text: 'better' },
  });
  return id;
}

function extend(stage: IngestTest, id: string, days: number) {
  const until = formatTimestamp(stage.clock.nowMicros() + days * DAY_MICROS);
  return appendEvent(stage, id, { event_type: 'retention_extended', payload: { retain_until: until } });
}

let stage: IngestTest;
beforeAll(async () => {
  stage = await openIngest();
});

describe('the sweep', () => {
  it('takes texts, items and salts of a record and its events when the retention has passed, and not before', async () => {
    const id = await recordForADay(stage);
    await sweep(stage);
    expect(await readRecord(stage, id)).toMatchObject({ answer: { text_state: 'stored' }, erasure: null });
    stage.clock.advance(DAY_MICROS);
    await sweep(stage);
    expect(await sealedOf(stage, id)).toBe(0);
    const record = await readRecord(stage, id);
    const grave = { reason_code: 'retention_expired', redacted_at: record.erasure?.online_at };
    expect(record).toMatchObject({
      status: 'corrected',
      question: { text: null, text_state: 'expired' },
      answer: { text: null, text_state: 'expired' },
      semantic_refs: [{ tombstone: grave }],
      source_refs: [{ source_ref_id: 'faq', tombstone: grave }],
      events: [
        {
          reason: null,
          corrected_answer: { text: null, text_state: 'expired' },
          erasure: null,
        },
      ],
    });
    const { online_at: online = '', backups_until: backups = '' } = record.erasure ?? {};
    expect(Date.parse(backups) - Date.parse(online)).toBe(stage.backupDays * 86_400_000);
    const { body } = await stage.call('GET', '/api/answer-audit-logs', { as: stage.manager, query: { size: '1' } });
    expect(body).toMatchObject({ items: [{ id, answer: { text_state: 'expired' }, source_refs: record.source_refs }] });
  });

  it('is what the tombstones name when a redaction comes after it', async () => {
    const id = await recordForADay(stage);
    stage.clock.advance(DAY_MICROS);
    await sweep(stage);
    const before = await readRecord(stage, id);
    const payload = { redact_source_ref_ids: ['faq'], redact_semantic_refs: true };
    const after = await appendEvent(stage, id, { event_type: 'redacted', payload });
    expect(after).toMatchObject({
      status: 'redacted',
      semantic_refs: before.semantic_refs,
      source_refs: before.source_refs,
    });
  });

  it('expires a record once, however often and by however many processes it is swept', async () => {
    const id = await recordForADay(stage);
    stage.clock.advance(DAY_MICROS);
    await Promise.all([sweep(stage), sweep({ ...stage, ledger: stage.otherLedger }), sweep(stage)]);
    await sweep(stage);
    expect(await leavesOf(stage, id, 'text_expired')).toBe(1);
  });

  it('lets an extension win, also one that comes between the decision to expire and the lock', async () => {
    const extended = await recordForADay(stage);
    await extend(stage, extended, 3);
    const late = await recordForADay(stage);
    stage.clock.advance(DAY_MICROS);
    await sweep({
      ...stage,
      ledger: interrupted(stage.ledger, () =>
        stage.otherLedger.append(stage.workspace.id, async (settings) => {
          // The manager’s extension through another process.
          const stored = await stage.records.find(stage.workspace.id, late);
          if (stored === undefined) throw new Error('the record is there');
          const deps = { ...stage, hashKeys: createHashKeys(stage.administration) };
          return prepareEvent(deps, stage.workspace, settings, stored, {
            request: { event_type: 'retention_extended' },
            payload: {
              reasonCode: null,
              redactSourceRefIds: null,
              redactSemanticRefs: null,
              redactEventIds: null,
              retainUntil: stage.clock.nowMicros() + DAY_MICROS,
              correctedHash: null,
              correctedText: null,
              rest: null,
            },
            idempotencyKey: null,
            actor: { kind: 'service', id: 'test', token_id: null },
            holds: 'unnamed',
          });
        }),
      ),
    });
    for (const id of [extended, late])
      expect(await readRecord(stage, id)).toMatchObject({ answer: { text: 'Because.', text_state: 'stored' } });
    stage.clock.advance(2 * DAY_MICROS);
    await sweep(stage);
    expect(await readRecord(stage, late)).toMatchObject({ answer: { text_state: 'expired' } });
    stage.clock.advance(DAY_MICROS);
    await sweep(stage);
    expect(await readRecord(stage, extended)).toMatchObject({ answer: { text_state: 'expired' } });
  });

  it('takes what was sealed after an expiry with the next run, and answers a replay with what is left', async () => {
    const more = { idempotency_key: `late-${stage.workspace.id}` };
    const { id } = await createRecord(stage, {
      ...more,
      retention_until: formatTimestamp(stage.clock.nowMicros() + DAY_MICROS),
    });
    stage.clock.advance(DAY_MICROS);
    await sweep(stage);
    await appendEvent(stage, id, { event_type: 'voided', reason: 'said too late' });
    expect(await sealedOf(stage, id)).toBe(1);
    await sweep(stage);
    expect([await sealedOf(stage, id), await leavesOf(stage, id, 'text_expired')]).toEqual([0, 2]);
  });

  it('leaves a redaction what it is, and expires the items that the redaction left', async () => {
    const { id } = await createRecord(stage, {
      ...REFS,
      retention_until: formatTimestamp(stage.clock.nowMicros() + DAY_MICROS),
    });
    const redacted = await appendEvent(stage, id, { event_type: 'redacted', payload: { redact_semantic_refs: true } });
    stage.clock.advance(DAY_MICROS);
    await sweep(stage);
    expect(await readRecord(stage, id)).toMatchObject({
      answer: { text_state: 'redacted' },
      semantic_refs: redacted.semantic_refs,
      source_refs: [{ source_ref_id: 'faq', tombstone: { reason_code: 'retention_expired' } }],
      events: [{ erasure: { online_at: redacted.events?.[0]?.created_at } }],
    });
  });

  it('goes on with the other workspaces when it cannot look into one, and says so', async () => {
    const id = await recordForADay(stage);
    stage.clock.advance(DAY_MICROS);
    const lost = new Error('a workspace that cannot be looked into');
    const deps: IngestDeps = {
      ...stage,
      work: {
        ...stage.work,
        expiring: () => Promise.resolve([{ ...stage.workspace, id: LOST }, stage.workspace]),
      },
      retention: {
        ...stage.retention,
        countDue: (workspaceId, ...rest) =>
          workspaceId === LOST ? Promise.reject(lost) : stage.retention.countDue(workspaceId, ...rest),
      },
    };
    await expect(sweep(deps)).rejects.toBe(lost);
    expect(await sealedOf(stage, id)).toBe(0);
  });

  it.each(['ahead', 'behind'] as const)(
    'expires nothing while the clock is %s, and goes on afterwards',
    async (state) => {
      const id = await recordForADay(stage);
      stage.clock.advance(DAY_MICROS);
      stage.clockGuard.judgement = { state, byMicros: 400 * DAY_MICROS };
      await sweep(stage);
      expect(await sealedOf(stage, id)).toBe(2);
      expect(await leavesOf(stage, id, 'text_expired')).toBe(0);
      stage.clockGuard.judgement = { state: 'plausible' };
      await sweep(stage);
      expect(await sealedOf(stage, id)).toBe(0);
    },
  );

  it('expires nothing that it met before the clock stepped', async () => {
    const id = await recordForADay(stage);
    stage.clock.advance(DAY_MICROS);
    let asked = 0;
    const judge = () => (asked++ === 0 ? { state: 'plausible' as const } : { state: 'ahead' as const, byMicros: 1e15 });
    await sweep({ ...stage, clockGuard: { judge, recent: judge } });
    expect(asked).toBeGreaterThan(1);
    expect(await sealedOf(stage, id)).toBe(2);
  });

  it('stops between two pieces of work when it is told to', async () => {
    const id = await recordForADay(stage);
    stage.clock.advance(DAY_MICROS);
    await expireTextsTicker(stage).run(AbortSignal.abort());
    expect(await sealedOf(stage, id)).toBe(2);
  });
});

describe('a ledger in which texts have expired', () => {
  it('is sound', async () => {
    await sweep(stage);
    expect(await stage.checkLedger()).toMatchObject({ outcome: 'PASS', findings: [] });
  });
});

describe('the search for what is due', () => {
  it('reads the index on when contents are due, whatever the size of the tables', async () => {
    const client = await stage.pool.connect();
    try {
      await client.query('begin');
      await client.query(`select set_config('answer_evidence.workspace_id', $1, true)`, [stage.workspace.id]);
      await client.query(
        `insert into answer_evidence.sealed_contents (workspace_id, object_id, wrapped_key, due_at)
           select $1, gen_random_uuid(), '\\x00', 9000000000000000 + n from generate_series(1, 20000) n`,
        [stage.workspace.id],
      );
      const { rows } = await client.query<Record<string, string>>(
        `explain select c.object_id from answer_evidence.sealed_contents c
           where c.workspace_id = '${stage.workspace.id}' and c.due_at < 8000000000000000 and (c.due_at, c.object_id) > (0, '00000000-0000-0000-0000-000000000000')
           order by c.due_at, c.object_id limit 100`,
      );
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toMatch(/sealed_contents_[0-9]+_due/);
      expect(plan).not.toContain('Seq Scan');
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});
