import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ReconciliationProof } from '@answer-evidence/contracts';
import { formatReferenceLine } from '@answer-evidence/reconciliation';
import { verifyReconciliation } from '@answer-evidence/verify';
import { worlds } from '../../libs/domain/reconciliation/fixtures/worlds.ts';
import { trustOf } from '../../libs/domain/verify/fixtures/bundles.ts';
import { readExampleBlocks } from '../../libs/domain/verify/fixtures/document-blocks.ts';
import { MemoryLedger } from '../../libs/domain/verify/fixtures/memory-ledger.ts';
import { createReconciledLog, reconcileFixture } from '../../libs/domain/verify/fixtures/reconciled-log.ts';
import { verifySignature } from '../../libs/domain/verify/fixtures/signer.ts';
import { describeWithTools, openPythonVerifier } from './python-verifier.ts';

const folder = mkdtempSync(join(tmpdir(), 'independent-runs-'));
const verifier = openPythonVerifier();
afterAll(async () => {
  await verifier.close();
  rmSync(folder, { recursive: true });
});

function write(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const asLines = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');

/** Exit code, and outcomes by check. */
async function check(proof: unknown, references: readonly string[], records: readonly string[], trust: unknown) {
  const { status, stdout } = await verifier.run([
    'run',
    write('proof.json', JSON.stringify(proof)),
    write('references', asLines(references)),
    write('records', asLines(records)),
    write('trust.json', JSON.stringify(trust)),
  ]);
  const found = [...stdout.matchAll(/^(PASS|FAIL|SKIP|NA) +([a-z_]+)/gm)];
  return { status, outcomes: Object.fromEntries(found.map(([, outcome, name]) => [name, outcome])) };
}

const { ledger, proof, files } = await createReconciledLog();
const trust = trustOf(ledger);
const references = files.references.map(formatReferenceLine);

async function ours(of: ReconciliationProof, given: typeof files, pins = trust) {
  const { checks } = await verifyReconciliation(of, given, pins, { verifySignature });
  return Object.fromEntries(checks.map((result) => [result.check, result.outcome]));
}

describeWithTools('a verifier of runs that shares nothing with ours', () => {
  it('verifies the worked example of the formats document', async () => {
    const document = readFileSync(resolve(import.meta.dirname, '../../docs/formats/example.md'), 'utf8');
    const example = readExampleBlocks(document);
    const block = (name: string) => example.get(name) ?? '';
    const lines = (name: string) => block(name).split('\n');
    const { status, outcomes } = await check(
      JSON.parse(block('run-proof')),
      lines('run-references'),
      lines('run-records'),
      JSON.parse(block('trust')),
    );
    expect(outcomes).toMatchObject({
      findings: 'PASS',
      counts: 'PASS',
      statement: 'PASS',
      checkpoint_consistency: 'PASS',
    });
    expect(status).toBe(0);
  });

  it('comes to the same outcome as ours in every check', async () => {
    const { status, outcomes } = await check(proof, references, files.records, trust);
    expect(outcomes).toEqual(await ours(proof, files));
    expect(status).toBe(0);
  });

  it.each<[string, (copy: ReconciliationProof) => void]>([
    ['findings', ({ run }) => (run.core.findings.root = run.core.records.root)],
    ['counts', ({ run }) => (run.core.counts.matched += 1)],
    ['statement', (copy) => (copy.note = copy.note.replace('references 7', 'references 8'))],
    ['leaf_entry', ({ run }) => (run.core.match_on = 'external_trace_id')],
    ['merkle_inclusion', ({ run }) => (run.leaf_index += 1)],
    ['checkpoint_signature', (copy) => (copy.log_keys = [])],
    ['checkpoint_consistency', (copy) => copy.consistency.reverse()],
  ])('fails %s as ours does when what it checks was altered', async (name, alter) => {
    const copy = structuredClone(proof);
    alter(copy);
    const { status, outcomes } = await check(copy, references, files.records, trust);
    expect([status, outcomes[name]]).toEqual([1, 'FAIL']);
    expect(await ours(copy, files)).toMatchObject({ [name]: 'FAIL' });
  });

  it('fails references and records that are not those of the run', async () => {
    expect((await check(proof, references.slice(1), files.records, trust)).outcomes).toMatchObject({
      references: 'FAIL',
    });
    const others = files.records.map((line) => line.replace('"voided"', '"recorded"'));
    expect((await check(proof, references, others, trust)).outcomes).toMatchObject({ records: 'FAIL' });
    expect((await check(proof, references, [...files.records].reverse(), trust)).outcomes).toMatchObject({
      records: 'FAIL',
    });
  });

  it('decides random lists over the records of a log as ours does', async () => {
    const own = await MemoryLedger.open();
    for (const name of ['a', 'b', 'c', '\u{10000}', '\uffee']) await own.record({ idempotencyKey: name });
    const first = own.tables.ledger_leaves.find(({ type }) => type === 'answer_recorded')?.at ?? 0;
    await fc.assert(
      fc.asyncProperty(worlds, async ({ rules, references: list }) => {
        fc.pre(list.length > 0);
        // The records of this log come a second after each other; the list of the world is moved to their time.
        const shift = first - rules.windowStart - 50_000_000;
        const moved = list.map((one) => ({ ...one, occurredAt: one.occurredAt + shift }));
        const windowStart = rules.windowStart + shift;
        const treeSize = own.tables.ledger_leaves.length;
        const run = await reconcileFixture(own, {
          windowStart,
          windowEnd: rules.windowEnd + shift,
          references: moved,
          // No more of a log can be anchored than there is of it; the world may say more.
          anchoredTreeSize: rules.anchoredTreeSize === null ? null : Math.min(rules.anchoredTreeSize, treeSize),
        });
        const lines = moved.map(formatReferenceLine);
        const { status, outcomes } = await check(run.proof, lines, run.files.records, trustOf(own));
        expect(outcomes).toEqual(await ours(run.proof, run.files, trustOf(own)));
        expect({ status, outcomes }).toMatchObject({ status: 0, outcomes: { findings: 'PASS', counts: 'PASS' } });
      }),
      { numRuns: 12 },
    );
  });
});
