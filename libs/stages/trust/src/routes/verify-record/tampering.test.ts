import { describe, expect, it } from '@jest/globals';
import { type ReconciliationStore, StoredDamageError, type StoredRecord } from '@answer-evidence/ports';
import type { RecordAttachments, RecordRow, SealedRow } from '@answer-evidence/tables';
import {
  appendEvent,
  attachTrace,
  checksWith,
  createRecord,
  createTrustTest,
  openTrust,
  type TrustTest,
  verifyRecord,
} from '../../fixtures/trust.ts';

/** What a store of the records says, altered. */
type Tamper = (stored: StoredRecord) => StoredRecord;

function flipped(bytes: Uint8Array): Uint8Array {
  const copy = bytes.slice();
  copy[copy.length - 1] = (copy.at(-1) ?? 0) ^ 1;
  return copy;
}

const changeRecord =
  (change: (row: RecordRow) => Partial<RecordRow>): Tamper =>
  (stored) => ({ ...stored, record: { ...stored.record, ...change(stored.record) } });

const changeSealed =
  (change: (row: SealedRow) => Partial<SealedRow>): Tamper =>
  (stored) => ({ ...stored, sealed: stored.sealed && { ...stored.sealed, ...change(stored.sealed) } });

const changeTraces =
  (change: (traces: RecordAttachments['traces']) => RecordAttachments['traces']): Tamper =>
  (stored) => ({ ...stored, attached: { ...stored.attached, traces: change(stored.attached.traces) } });

/** The stage on a database whose rows of records are altered from now on, with MACs that are right. */
function tampered(stage: TrustTest, tamper: Tamper): TrustTest {
  const records: TrustTest['records'] = {
    ...stage.records,
    async find(...asked) {
      const stored = await stage.records.find(...asked);
      return stored && tamper(stored);
    },
  };
  return createTrustTest({ ...stage, records });
}

const CORE = ['record_hash', 'leaf_entry'];
const CONTENTS = ['question_commitment', 'answer_commitment', 'source_refs'];

describe('GET …/ledger/verify of what was altered in the database', () => {
  it.each<[string, Tamper, readonly string[]]>([
    ['nothing', (stored) => stored, []],
    ['a plain column', changeRecord(() => ({ mode: 'slow' })), CORE],
    ['the nonce', changeRecord(({ nonce }) => ({ nonce: flipped(nonce) })), CORE],
    ['a commitment', changeRecord(() => ({ answer_hash: `sha256:${'0'.repeat(64)}` })), ['answer_commitment', ...CORE]],
    [
      'a text state, so as to hide a text',
      changeRecord(() => ({ answer_text_state: 'discarded' })),
      ['answer_commitment', ...CORE],
    ],
    ['what is sealed', changeSealed(({ items }) => ({ items: items && flipped(items) })), CONTENTS],
    ['the wrapped key', changeSealed((row) => ({ wrapped_key: flipped(row.wrapped_key) })), CONTENTS],
    ['contents that are gone', changeSealed(() => ({ items: null })), CONTENTS],
    [
      'the last event, which is gone',
      ({ events, ...stored }) => ({ ...stored, events: events.slice(0, -1) }),
      ['event_completeness', 'status_derivation'],
    ],
    ['the status', (stored) => ({ ...stored, status: 'recorded' }), ['status_derivation']],
  ])('fails, with %s, the checks that it concerns and no other', async (_, tamper, failing) => {
    const stage = await openTrust();
    const { id } = await createRecord(stage, { mode: 'fast', source_refs: [{ source_ref_id: 'a' }] });
    await appendEvent(stage, id, { event_type: 'voided' });
    const verified = await verifyRecord(tampered(stage, tamper), id);
    expect([...checksWith('FAIL', verified)].sort()).toEqual([...failing].sort());
  });

  it('fails, with a row of the commits, the receipt and no other check', async () => {
    const opened = await openTrust();
    const { id } = await createRecord(opened);
    const logs: TrustTest['logs'] = {
      ...opened.logs,
      async findCommit(...asked) {
        const commit = await opened.logs.findCommit(...asked);
        return commit && { ...commit, root: flipped(commit.root) };
      },
    };
    expect(checksWith('FAIL', await verifyRecord(createTrustTest({ ...opened, logs }), id))).toEqual(['receipt']);
  });

  it.each<[string, (row: SealedRow) => Partial<SealedRow>, readonly string[]]>([
    ['a sealed text', ({ texts }) => ({ texts: texts && flipped(texts) }), CONTENTS],
    ['texts that are gone', () => ({ texts: null }), CONTENTS.slice(0, 2)],
    ['items that are gone', () => ({ items: null }), CONTENTS.slice(2)],
  ])('fails, with %s where long texts are sealed apart, the checks that it concerns', async (_, change, failing) => {
    const stage = tampered(await openTrust(), changeSealed(change));
    const long = { answer: { text: 'long '.repeat(1_000) }, source_refs: [{ source_ref_id: 'a' }] };
    const { id } = await createRecord(stage, long);
    expect([...checksWith('FAIL', await verifyRecord(stage, id))].sort()).toEqual([...failing].sort());
  });

  it.each<[string, Tamper, readonly string[]]>([
    [
      'another span',
      changeTraces((traces) => traces.map((one) => ({ ...one, row: { ...one.row, span_id: null } }))),
      ['trace_refs', 'leaf_entry'],
    ],
    ['nothing in its place', changeTraces(() => []), ['event_completeness']],
  ])('fails, with %s in an attached trace, the checks that it concerns and no other', async (_, tamper, failing) => {
    const stage = tampered(await openTrust(), tamper);
    const { id } = await createRecord(stage);
    await attachTrace(stage, id);
    expect(checksWith('FAIL', await verifyRecord(stage, id))).toEqual(failing);
  });

  it('fails, with a damaged run of reconciliation, that check and no other, and says which run it is', async () => {
    const damaged = () => Promise.reject(new StoredDamageError('the run r-1 is not what was written'));
    const stage = await openTrust({
      reconciliations: { findAbout: damaged } as Partial<ReconciliationStore> as ReconciliationStore,
    });
    const { id } = await createRecord(stage);
    const verified = await verifyRecord(stage, id);
    expect(checksWith('FAIL', verified)).toEqual(['reconciliation']);
    expect(verified.checks.find(({ check }) => check === 'reconciliation')?.detail).toContain('the run r-1');
  });

  it('fails checkpoint_consistency when the log is behind the head that was kept outside', async () => {
    const stage = await openTrust();
    const { id } = await createRecord(stage);
    const earlier = await stage.logs.snapshot(stage.workspace.id);
    await createRecord(stage);
    await stage.heads.keep(stage.workspace);
    expect(checksWith('FAIL', await verifyRecord(stage, id))).toEqual([]);
    stage.setBack(earlier);
    expect(checksWith('FAIL', await verifyRecord(stage, id))).toEqual(['checkpoint_consistency']);
  });

  it('fails checkpoint_consistency when the log is another one than the head that was kept outside', async () => {
    const stage = await openTrust();
    const { id } = await createRecord(stage);
    const { workspace, headStore, logs } = stage;
    await headStore.keep({
      workspaceId: workspace.id,
      origin: workspace.origin,
      treeSize: (await logs.snapshot(workspace.id)).head.tree_size - 1,
      rootHash: '0'.repeat(64),
      systemIdentifier: '1',
    });
    expect(checksWith('FAIL', await verifyRecord(stage, id))).toEqual(['checkpoint_consistency']);
  });
});
