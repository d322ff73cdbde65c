import { describe, expect, it } from '@jest/globals';
import { type ReconciliationStore, StoredDamageError } from '@answer-evidence/ports';
import type { RecordRow, SealedRow } from '@answer-evidence/tables';
import {
  appendEvent,
  attachTrace,
  checksWith,
  createFakeTrust,
  createRecord,
  verifyRecord,
} from '../../fixtures/trust.ts';

type Stage = ReturnType<typeof createFakeTrust>;

function flipped(bytes: Uint8Array): Uint8Array {
  const copy = bytes.slice();
  copy[copy.length - 1] = (copy.at(-1) ?? 0) ^ 1;
  return copy;
}

function changeRecord({ database }: Stage, change: (row: RecordRow) => Partial<RecordRow>): void {
  const [row] = database.rows.answer_records;
  if (row !== undefined) database.rows.answer_records[0] = { ...row, ...change(row) };
}

function changeSealed({ database }: Stage, change: (row: SealedRow) => Partial<SealedRow>): void {
  const [row] = database.rows.answer_records;
  const { rows } = database;
  rows.sealed_contents = rows.sealed_contents.map((sealed) =>
    sealed.object_id === row?.id ? { ...sealed, ...change(sealed) } : sealed,
  );
}

function removeEvent({ database }: Stage): void {
  database.rows.lifecycle_events.pop();
}

const CORE = ['record_hash', 'leaf_entry'];
const CONTENTS = ['question_commitment', 'answer_commitment', 'source_refs'];

describe('GET …/ledger/verify of what was altered in the database', () => {
  it.each<[string, (stage: Stage) => void | Promise<void>, readonly string[]]>([
    ['nothing', () => undefined, []],
    ['a plain column', (stage) => changeRecord(stage, () => ({ mode: 'slow' })), CORE],
    ['the nonce', (stage) => changeRecord(stage, ({ nonce }) => ({ nonce: flipped(nonce) })), CORE],
    [
      'a commitment',
      (stage) => changeRecord(stage, () => ({ answer_hash: `sha256:${'0'.repeat(64)}` })),
      ['answer_commitment', ...CORE],
    ],
    [
      'a text state, so as to hide a text',
      (stage) => changeRecord(stage, () => ({ answer_text_state: 'discarded' })),
      ['answer_commitment', ...CORE],
    ],
    ['what is sealed', (stage) => changeSealed(stage, ({ items }) => ({ items: items && flipped(items) })), CONTENTS],
    ['the wrapped key', (stage) => changeSealed(stage, (row) => ({ wrapped_key: flipped(row.wrapped_key) })), CONTENTS],
    ['contents that are gone', (stage) => changeSealed(stage, () => ({ items: null })), CONTENTS],
    ['the last event, which is gone', removeEvent, ['event_completeness', 'status_derivation']],
    [
      'the status',
      ({ database }) => {
        database.rows.record_states = [];
      },
      ['status_derivation'],
    ],
    [
      'a row of the commits',
      ({ database }) => {
        const n = database.rows.ledger_commits.findIndex(
          ({ tree_size: size }) => size > (database.rows.answer_records[0]?.leaf_index ?? 0),
        );
        const commit = database.rows.ledger_commits[n];
        if (commit !== undefined) database.rows.ledger_commits[n] = { ...commit, root: flipped(commit.root) };
      },
      ['receipt'],
    ],
  ])('fails, with %s, the checks that it concerns and no other', async (_, tamper, failing) => {
    const stage = createFakeTrust();
    const { id } = await createRecord(stage, { mode: 'fast', source_refs: [{ source_ref_id: 'a' }] });
    await appendEvent(stage, id, { event_type: 'voided' });
    await tamper(stage);
    expect([...checksWith('FAIL', await verifyRecord(stage, id))].sort()).toEqual([...failing].sort());
  });

  it.each<[string, (row: SealedRow) => Partial<SealedRow>, readonly string[]]>([
    ['a sealed text', ({ texts }) => ({ texts: texts && flipped(texts) }), CONTENTS],
    ['texts that are gone', () => ({ texts: null }), CONTENTS.slice(0, 2)],
    ['items that are gone', () => ({ items: null }), CONTENTS.slice(2)],
  ])('fails, with %s where long texts are sealed apart, the checks that it concerns', async (_, change, failing) => {
    const stage = createFakeTrust();
    const long = { answer: { text: 'long '.repeat(1_000) }, source_refs: [{ source_ref_id: 'a' }] };
    const { id } = await createRecord(stage, long);
    changeSealed(stage, change);
    expect([...checksWith('FAIL', await verifyRecord(stage, id))].sort()).toEqual([...failing].sort());
  });

  it.each<[string, (stage: Stage) => void, readonly string[]]>([
    [
      'another span',
      ({ database: { rows } }) =>
        rows.trace_attachments.splice(
          0,
          1,
          ...rows.trace_attachments.slice(0, 1).map((row) => ({ ...row, span_id: null })),
        ),
      ['trace_refs', 'leaf_entry'],
    ],
    ['nothing in its place', ({ database }) => database.rows.trace_attachments.splice(0), ['event_completeness']],
  ])('fails, with %s in an attached trace, the checks that it concerns and no other', async (_, tamper, failing) => {
    const stage = createFakeTrust();
    const { id } = await createRecord(stage);
    await attachTrace(stage, id);
    tamper(stage);
    expect(checksWith('FAIL', await verifyRecord(stage, id))).toEqual(failing);
  });

  it('fails, with a damaged run of reconciliation, that check and no other, and says which run it is', async () => {
    const damaged = () => Promise.reject(new StoredDamageError('the run r-1 is not what was written'));
    const stage = createFakeTrust({
      reconciliations: { findAbout: damaged } as Partial<ReconciliationStore> as ReconciliationStore,
    });
    const { id } = await createRecord(stage);
    const verified = await verifyRecord(stage, id);
    expect(checksWith('FAIL', verified)).toEqual(['reconciliation']);
    expect(verified.checks.find(({ check }) => check === 'reconciliation')?.detail).toContain('the run r-1');
  });

  it('fails checkpoint_consistency when the log is behind the head that was kept outside', async () => {
    const stage = createFakeTrust();
    const { id } = await createRecord(stage);
    const { head } = stage.database;
    const leaves = stage.database.rows.ledger_leaves.length;
    await createRecord(stage);
    await stage.heads.keep(stage.workspace);
    expect(checksWith('FAIL', await verifyRecord(stage, id))).toEqual([]);
    stage.database.head = head;
    stage.database.rows.ledger_leaves.length = leaves;
    expect(checksWith('FAIL', await verifyRecord(stage, id))).toEqual(['checkpoint_consistency']);
  });

  it('fails checkpoint_consistency when the log is another one than the head that was kept outside', async () => {
    const stage = createFakeTrust();
    const { id } = await createRecord(stage);
    const { workspace, headStore, database } = stage;
    await headStore.keep({
      workspaceId: workspace.id,
      origin: workspace.origin,
      treeSize: database.head.treeSize - 1,
      rootHash: '0'.repeat(64),
      systemIdentifier: '1',
    });
    expect(checksWith('FAIL', await verifyRecord(stage, id))).toEqual(['checkpoint_consistency']);
  });
});
