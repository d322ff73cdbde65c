import { describe, expect, it } from '@jest/globals';
import type { CheckName, ProofBundle } from '@answer-evidence/contracts';
import { bundleOf, receiptOf, rootOf, trustOf } from '../fixtures/bundles.ts';
import { FixtureAsset, showEvidence } from '../fixtures/evidence.ts';
import { MemoryLedger } from '../fixtures/memory-ledger.ts';
import { partialLogOf } from '../fixtures/partial-log.ts';
import { createReconciledLog } from '../fixtures/reconciled-log.ts';
import { verifySignature } from '../fixtures/signer.ts';
import { createWorkedLog } from '../fixtures/worked-log.ts';
import { verifyBundle, type VerifyOptions, verifyReconciliation } from './index.ts';
import type { LogGap } from './verify-options.ts';

const { ledger, correctedId } = await createWorkedLog();
const size = ledger.tables.ledger_leaves.length;
const bundle = bundleOf(ledger, correctedId);
const gap = (from: number, to: number): LogGap => ({ from, to, path: `tile/entries/${from}` });

async function judge(
  check: CheckName,
  shown: ProofBundle,
  gaps: readonly LogGap[],
  { of = ledger, ...options }: Partial<VerifyOptions> & { of?: MemoryLedger } = {},
) {
  const log = partialLogOf(of, gaps);
  const { checks } = await verifyBundle(shown, trustOf(of), { verifySignature, log, ...options });
  const { outcome, detail } = checks.find((result) => result.check === check) ?? {};
  return { outcome, detail };
}

describe('event_completeness by a copy of the log that lacks entries', () => {
  const eventLeaf = bundle.events[0]?.leaf_index ?? 0;
  const withoutEvents = { ...bundle, events: [] };

  it('is SKIP and names what is missing, whatever the missing part holds', async () => {
    expect(await judge('event_completeness', bundle, [])).toMatchObject({ outcome: 'PASS' });
    for (let at = 0; at < size; at++) {
      const detail = `the given log lacks tile/entries/${at}: a later correction, void or redaction could have been left out`;
      expect(await judge('event_completeness', bundle, [gap(at, at + 1)])).toEqual({ outcome: 'SKIP', detail });
    }
    const many = [0, 2, 4, 6, 8].map((at) => gap(at, at + 1));
    expect((await judge('event_completeness', bundle, many)).detail).toContain('tile/entries/4 and 2 more: ');
  });

  it('is FAIL for an event that is there and not shown, and SKIP once the copy lacks that very event', async () => {
    const others = bundle.events.slice(1).map((event) => gap(event.leaf_index, event.leaf_index + 1));
    const own = gap(eventLeaf, eventLeaf + 1);
    expect(await judge('event_completeness', withoutEvents, others)).toMatchObject({ outcome: 'FAIL' });
    const attached = { ...withoutEvents, attachments: [] };
    const leaves = [...bundle.events, ...bundle.attachments].map((leaf) => gap(leaf.leaf_index, leaf.leaf_index + 1));
    expect(leaves).toContainEqual(own);
    expect(await judge('event_completeness', attached, leaves)).toMatchObject({ outcome: 'SKIP' });
  });

  it('is FAIL for a leaf that is shown where the copy has another', async () => {
    const moved = structuredClone(bundle);
    const [event] = moved.events;
    if (event === undefined) throw new Error('the fixture has an event');
    event.leaf_index = 0;
    const detail = 'entries are shown that the log does not have';
    expect(await judge('event_completeness', moved, [gap(eventLeaf, size)])).toEqual({ outcome: 'FAIL', detail });
  });
});

describe('a receipt by a copy of the log that lacks entries', () => {
  const own = bundle.record.leaf_index;
  const receipt = receiptOf(ledger, own, own + 1);

  it('is SKIP only when its own tree cannot be computed', async () => {
    expect(await judge('receipt', bundle, [gap(own + 1, size)], { receipt })).toMatchObject({ outcome: 'PASS' });
    expect(await judge('receipt', bundle, [gap(0, 1)], { receipt })).toEqual({
      outcome: 'SKIP',
      detail: `the given log lacks tile/entries/0: the receipt is valid; it was not decided whether the log extends its tree of ${own + 1} leaves`,
    });
  });

  it('is FAIL by what is there', async () => {
    const log = { ...partialLogOf(ledger, [gap(own + 1, size)]), rootAt: () => Promise.resolve(rootOf(ledger, 1)) };
    expect(await judge('receipt', bundle, [], { receipt, log })).toMatchObject({ outcome: 'FAIL' });
    const unsigned = receipt.replace(/[^\n]{10}=\n$/, 'AAAAAAAAAA=\n');
    expect(await judge('receipt', bundle, [gap(0, 1)], { receipt: unsigned })).toMatchObject({ outcome: 'FAIL' });
  });
});

describe('evidence by a copy of the log that lacks entries', () => {
  it('is SKIP, and FAIL for an erasure that is there and not shown', async () => {
    const of = await MemoryLedger.open();
    const asset = await FixtureAsset.register(of, ['Two years.']);
    const recordId = await of.record({ accessEventIds: [await asset.access('ev-1')] });
    const before = showEvidence(of, recordId, [asset]);
    const whole = of.tables.ledger_leaves.length;
    const evidence = before.evidence;
    expect(await judge('evidence_binding', before, [], { of })).toMatchObject({ outcome: 'PASS' });
    expect(await judge('evidence_binding', before, [gap(0, 1)], { of })).toEqual({
      outcome: 'SKIP',
      detail: 'the given log lacks tile/entries/0: an erasure of the evidence could have been left out',
    });
    const eventId = await of.event(recordId, { type: 'redacted', known: { redact_source_ref_ids: [] } });
    await asset.redact(recordId, eventId, null);
    const hiding = { ...showEvidence(of, recordId, [asset]), evidence };
    expect(await judge('evidence_binding', hiding, [gap(0, 1)], { of })).toMatchObject({ outcome: 'FAIL' });
    expect(await judge('evidence_binding', hiding, [gap(whole, whole + 2)], { of })).toMatchObject({ outcome: 'SKIP' });
  });
});

describe('a run by a copy of the log that lacks entries', () => {
  it('looks up the records that are there, and is SKIP for the others', async () => {
    const { ledger: of, proof, files } = await createReconciledLog();
    const leaves = of.tables.ledger_leaves.filter(({ type }) => type === 'answer_recorded');
    const at = leaves[0]?.leaf_index ?? 0;
    const run = async (log = partialLogOf(of, [gap(at, at + 1)])) => {
      const { checks } = await verifyReconciliation(proof, files, trustOf(of), { verifySignature, log });
      return checks.find(({ check }) => check === 'record_leaves');
    };
    expect(await run(partialLogOf(of, []))).toMatchObject({ outcome: 'PASS' });
    expect(await run()).toMatchObject({
      outcome: 'SKIP',
      detail: `the given log lacks tile/entries/${at}: not every record of the set was looked up in it`,
    });
    const partial = partialLogOf(of, [gap(at, at + 1)]);
    const other = leaves[1]?.leaf_index ?? 0;
    const entriesBelow: typeof partial.entriesBelow = async (below) => {
      const entries = (await partial.entriesBelow?.(below)) ?? [];
      return entries.map((entry, n) => (n === other ? entries[0] : entry));
    };
    expect(await run({ ...partial, entriesBelow })).toMatchObject({ outcome: 'FAIL' });
  });
});
