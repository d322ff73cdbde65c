import { describe, expect, it } from '@jest/globals';
import { formatEntry } from '@answer-evidence/commitments';
import {
  RECONCILIATION_CHECKS,
  type ReconciliationCheckName,
  type ReconciliationProof,
  type TrustFile,
} from '@answer-evidence/contracts';
import { logViewOf, trustOf } from '../../fixtures/bundles.ts';
import { MemoryLedger } from '../../fixtures/memory-ledger.ts';
import { partialLogOf } from '../../fixtures/partial-log.ts';
import { createdAt, createReconciledLog, reconcileFixture } from '../../fixtures/reconciled-log.ts';
import { verifySignature } from '../../fixtures/signer.ts';
import { BundleFormatError, type LogView, type ReconciliationFiles, verifyReconciliation } from '../index.ts';

const { ledger, proof, files } = await createReconciledLog();
const trust = trustOf(ledger);

function withEntries(of: MemoryLedger): LogView {
  const entries = of.tables.ledger_leaves.map(formatEntry);
  return { ...logViewOf(of), entriesBelow: (size) => Promise.resolve(entries.slice(0, size)) };
}

async function verify(
  changed: { proof?: unknown; files?: Partial<ReconciliationFiles>; trust?: TrustFile; log?: LogView } = {},
) {
  const { log } = changed;
  const result = await verifyReconciliation(
    changed.proof ?? proof,
    { ...files, ...changed.files },
    changed.trust ?? trust,
    { verifySignature, ...(log === undefined ? {} : { log }) },
  );
  return Object.fromEntries(result.checks.map(({ check, outcome }) => [check, outcome])) as Record<
    ReconciliationCheckName,
    string
  >;
}

function failed(outcomes: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(outcomes).filter((name) => outcomes[name] === 'FAIL');
}

function altered(alter: (copy: ReconciliationProof) => void): ReconciliationProof {
  const copy = structuredClone(proof);
  alter(copy);
  return copy;
}

const GOOD = {
  references: 'PASS',
  records: 'PASS',
  record_leaves: 'SKIP',
  earlier_runs: 'SKIP',
  findings: 'PASS',
  counts: 'PASS',
  statement: 'PASS',
  leaf_entry: 'PASS',
  log_order: 'SKIP',
  merkle_inclusion: 'PASS',
  checkpoint_signature: 'PASS',
  checkpoint_consistency: 'PASS',
  witness_cosignatures: 'NA',
  external_anchor: 'NA',
  anchored: 'NA',
};

describe('a good proof', () => {
  it('passes every check that list and record set decide, and says what the others need', async () => {
    expect(await verify()).toEqual(GOOD);
    expect(Object.keys(await verify())).toEqual([...RECONCILIATION_CHECKS]);
  });

  it('has findings of every type that idempotency keys allow, so that none is verified for nothing', () => {
    const { counts } = proof.run.core;
    const types = [
      'missing_service',
      'unexpected_service',
      'late_service',
      'duplicate_reference',
      'unanchored_service',
    ];
    for (const type of types) expect({ type, n: counts[type as keyof typeof counts] }).not.toEqual({ type, n: 0 });
    expect(counts).toMatchObject({ named_earlier: 1, hash_mismatches: 1, matched: 4, hashes_not_comparable: 0 });
  });

  it('finds each record in the log when the log is at hand', async () => {
    expect(await verify({ log: withEntries(ledger) })).toEqual({ ...GOOD, record_leaves: 'PASS' });
  });

  it('does not depend on the order of the list', async () => {
    expect(await verify({ files: { references: [...files.references].reverse() } })).toEqual(GOOD);
  });

  it('takes the record set line by line, once, and throws what breaks it off', async () => {
    async function* lines(end?: Error) {
      for (const line of files.records) yield await Promise.resolve(line);
      if (end !== undefined) throw end;
    }
    expect(await verify({ files: { records: lines() } })).toEqual(GOOD);
    await expect(verify({ files: { records: lines(new Error('the disk is gone')) } })).rejects.toThrow('the disk');
  });

  it('without pins of its log is not believed', async () => {
    const stranger = { ...trust, logs: [{ origin: 'elsewhere.example/x/00000000', keys: trust.logs[0]?.keys ?? [] }] };
    expect(await verify({ trust: stranger })).toMatchObject({ statement: 'FAIL', checkpoint_signature: 'FAIL' });
    const forged = trustOf(await MemoryLedger.open(2));
    const keys = (forged.logs[0]?.keys ?? []).map((key) => ({
      ...key,
      vkey: key.vkey.replace(/^[^+]+/, proof.origin),
    }));
    const wrongKey = { ...forged, logs: [{ origin: proof.origin, keys }] };
    expect(failed(await verify({ trust: wrongKey }))).toEqual(['statement', 'checkpoint_signature']);
  });

  it('verifies that earlier runs name what it says, from their proofs and lists', async () => {
    const own = await MemoryLedger.open();
    const id = await own.record({ idempotencyKey: 'after-midnight' });
    const midnight = createdAt(own, id) - 1_000_000;
    const day = 86_400_000_000;
    const asked = (referenceId: string, occurredAt: number) => {
      return { referenceId, occurredAt, questionHash: null, answerHash: null };
    };
    const first = await reconcileFixture(own, {
      windowStart: midnight - day,
      windowEnd: midnight,
      references: [asked('after-midnight', midnight - 1)],
    });
    const second = await reconcileFixture(own, {
      windowStart: midnight,
      windowEnd: midnight + day,
      references: [asked('not-recorded', midnight)],
      namedEarlier: { 'after-midnight': first.proof.run.core.run_id },
    });
    const earlier = { proof: first.proof, references: first.files.references };
    const run = (given: ReconciliationFiles['earlier'], log?: LogView) =>
      verify({
        proof: second.proof,
        files: { ...second.files, earlier: given ?? [] },
        trust: trustOf(own),
        ...(log === undefined ? {} : { log }),
      });
    expect(second.proof.run.core.counts).toMatchObject({ named_earlier: 1, unexpected_service: 0 });
    expect(await run([])).toMatchObject({ earlier_runs: 'SKIP' });
    expect(await run([earlier])).toMatchObject({ earlier_runs: 'PASS' });
    expect(await run([{ ...earlier, references: [asked('another', midnight - 1)] }])).toMatchObject({
      earlier_runs: 'FAIL',
    });
    for (const none of [null, {}, { format: 'answer-evidence-bundle/v1' }, { ...first.proof, run: null }])
      expect(await run([{ proof: none, references: [] }])).toMatchObject({ earlier_runs: 'FAIL', findings: 'PASS' });
    expect(await run([{ proof: second.proof, references: second.files.references }])).toMatchObject({
      earlier_runs: 'FAIL',
    });
    expect(await run([earlier], withEntries(own))).toMatchObject({ earlier_runs: 'PASS', record_leaves: 'PASS' });
    // A tree that the same key signed beside the log, in which a run names what no run named.
    const beside = await MemoryLedger.open();
    beside.draw.bytes(16);
    await beside.record({ idempotencyKey: 'after-midnight' });
    const forked = await reconcileFixture(beside, {
      windowStart: midnight - day,
      windowEnd: midnight,
      references: [asked('after-midnight', midnight - 1)],
    });
    const named = forked.proof.run.core.run_id;
    const relied = await reconcileFixture(own, {
      windowStart: midnight,
      windowEnd: midnight + day,
      references: [asked('not-recorded', midnight)],
      namedEarlier: { 'after-midnight': named },
    });
    const fork = { proof: forked.proof, references: forked.files.references };
    const withFork = (log?: LogView) =>
      verify({
        proof: relied.proof,
        files: { ...relied.files, earlier: [fork] },
        trust: trustOf(own),
        ...(log === undefined ? {} : { log }),
      });
    expect(await withFork()).toMatchObject({ earlier_runs: 'PASS' });
    expect(await withFork(withEntries(own))).toMatchObject({ earlier_runs: 'FAIL', record_leaves: 'PASS' });
    // A copy that lacks the leaf cannot tell; one that lacks another still does.
    const at = forked.proof.run.leaf_index;
    const lacking = (from: number) => partialLogOf(own, [{ from, to: from + 1, path: 'tile/entries/000' }]);
    expect(await withFork(lacking(at))).toMatchObject({ earlier_runs: 'SKIP' });
    expect(await withFork(lacking(at - 1))).toMatchObject({ earlier_runs: 'FAIL' });
  });
});

describe('a changed reference', () => {
  it.each([
    ['is left out', (all: ReconciliationFiles['references']) => all.slice(1)],
    ['is added', (all: ReconciliationFiles['references']) => [...all, ...all.slice(0, 1)]],
    ['has another id', (all: ReconciliationFiles['references']) => change(all, { referenceId: 'msg-9' })],
    ['has another time', (all: ReconciliationFiles['references']) => change(all, { occurredAt: 1 })],
    ['has a hash', (all: ReconciliationFiles['references']) => change(all, { answerHash: `sha256:${'1'.repeat(64)}` })],
  ])('fails as such when it %s', async (_, alter) => {
    const outcomes = await verify({ files: { references: alter(files.references) } });
    expect(outcomes).toMatchObject({ references: 'FAIL', statement: 'PASS', merkle_inclusion: 'PASS' });
  });
});

function change(all: ReconciliationFiles['references'], to: object): ReconciliationFiles['references'] {
  return all.map((reference, n) => (n === 0 ? { ...reference, ...to } : reference));
}

describe('a changed record', () => {
  it.each([
    ['is left out', (lines: readonly string[]) => lines.slice(1)],
    ['is doubled', (lines: readonly string[]) => [...lines.slice(0, 1), ...lines]],
    ['changes places', (lines: readonly string[]) => [...lines].reverse()],
    ['has another status', (lines: readonly string[]) => lines.map((line) => line.replace('"voided"', '"recorded"'))],
    ['has another key', (lines: readonly string[]) => lines.map((line) => line.replace('"msg-1"', '"msg-7"'))],
    ['is not canonical', (lines: readonly string[]) => lines.map((line) => line.replace(':', ': '))],
    ['is no JSON', (lines: readonly string[]) => lines.map((line) => line.slice(1))],
  ])('fails as such when it %s', async (_, alter) => {
    const outcomes = await verify({ files: { records: alter(files.records) } });
    expect(outcomes).toMatchObject({ records: 'FAIL', statement: 'PASS', merkle_inclusion: 'PASS' });
  });
});

describe('a changed finding or count', () => {
  it('of the file of findings fails by name', async () => {
    const findings = [...files.findings];
    findings[0] = (findings[0] ?? '').replace('hash_mismatch', 'no_record');
    expect(failed(await verify({ files: { findings } }))).toEqual(['findings']);
    expect(failed(await verify({ files: { findings: files.findings.slice(1) } }))).toEqual(['findings']);
  });

  it('of the proof fails by name, and no longer is what the log holds', async () => {
    const count = altered(({ run }) => (run.core.counts.late_service += 1));
    expect(failed(await verify({ proof: count }))).toEqual(['counts', 'statement', 'leaf_entry']);
    const finding = altered(({ run }) => (run.core.findings.root = run.core.records.root));
    expect(failed(await verify({ proof: finding }))).toEqual(['findings', 'statement', 'leaf_entry']);
  });
});

describe('a log that is not the one of the run', () => {
  it('fails the record that is not in it, and one whose status has no event there', async () => {
    const other = await MemoryLedger.open();
    for (let n = 0; n < 12; n++) await other.record({ idempotencyKey: `other-${n}` });
    expect(await verify({ log: withEntries(other) })).toMatchObject({ record_leaves: 'FAIL', records: 'PASS' });
  });
});

describe('what is no proof', () => {
  it('is refused, and a damaged one fails every check', async () => {
    for (const value of [null, [], {}, { format: 'answer-evidence-bundle/v1' }, 'x'])
      await expect(verify({ proof: value ?? 0 })).rejects.toThrow(BundleFormatError);
    const damaged = { ...proof, run: null };
    expect(new Set(Object.values(await verify({ proof: damaged })))).toEqual(new Set(['FAIL']));
    const impossible = altered(({ run }) => (run.core.window_start = '2026-13-45T99:00:00.000000Z'));
    expect(new Set(Object.values(await verify({ proof: impossible })))).toEqual(new Set(['FAIL']));
  });
});
