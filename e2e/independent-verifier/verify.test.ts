import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import type { JsonObject, ProofBundle } from '@answer-evidence/contracts';
import { verifyBundle } from '@answer-evidence/verify';
import { bundleOf, receiptOf, trustOf } from '../../libs/domain/verify/fixtures/bundles.ts';
import { readExampleBlocks } from '../../libs/domain/verify/fixtures/document-blocks.ts';
import { createEvidenceLog } from '../../libs/domain/verify/fixtures/evidence-log.ts';
import { verifySignature } from '../../libs/domain/verify/fixtures/signer.ts';
import { createWorkedLog } from '../../libs/domain/verify/fixtures/worked-log.ts';
import { describeWithTools, openPythonVerifier } from './python-verifier.ts';

const folder = mkdtempSync(join(tmpdir(), 'independent-verifier-'));
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

/** Exit code, and outcomes by check. */
async function run(...args: readonly string[]) {
  const { status, stdout } = await verifier.run(args);
  const lines = stdout.split('\n').flatMap((line) => /^(PASS|FAIL|SKIP|NA) +([a-z_]+)/.exec(line) ?? []);
  const outcomes: Record<string, string> = {};
  for (let i = 0; i < lines.length; i += 3) outcomes[lines[i + 2] ?? ''] = lines[i + 1] ?? '';
  return { status, outcomes };
}

const document = readFileSync(resolve(import.meta.dirname, '../../docs/formats/example.md'), 'utf8');
const example = readExampleBlocks(document);
const { ledger, ...ids } = await createWorkedLog();
const trust = trustOf(ledger);

function check(bundle: unknown) {
  return run('bundle', write('bundle.json', JSON.stringify(bundle)), write('trust.json', JSON.stringify(trust)));
}

function altered(alter: (copy: ProofBundle) => void): ProofBundle {
  const copy = structuredClone(bundleOf(ledger, ids.correctedId));
  alter(copy);
  return copy;
}

describeWithTools('a verifier that shares nothing with ours', () => {
  it('verifies the worked example of the formats document', async () => {
    const bundle = write('example.json', example.get('bundle') ?? '');
    const { status, outcomes } = await run('bundle', bundle, write('example-trust.json', example.get('trust') ?? ''));
    expect(outcomes).toMatchObject({
      answer_commitment: 'PASS',
      merkle_inclusion: 'PASS',
      checkpoint_signature: 'PASS',
    });
    expect(status).toBe(0);
    const receipt = write('example.tlog-proof', `${example.get('receipt') ?? ''}\n`);
    const entry = write('example-entry.txt', example.get('entry') ?? '');
    expect(await run('receipt', receipt, entry, example.get('vkey') ?? '')).toEqual({
      status: 0,
      outcomes: { leaf_entry: 'PASS', merkle_inclusion: 'PASS', checkpoint_signature: 'PASS' },
    });
  });

  it.each(Object.entries(ids))('comes to the same outcome as ours in every check it makes: %s', async (_name, id) => {
    const bundle = bundleOf(ledger, id);
    const { status, outcomes } = await check(bundle);
    const { checks } = await verifyBundle(bundle, trust, { verifySignature });
    const ours = Object.fromEntries(checks.map((result) => [result.check, result.outcome]));
    expect(Object.keys(outcomes).length).toBeGreaterThan(15);
    expect(ours).toMatchObject(outcomes);
    expect(status).toBe(0);
  });

  it('comes to the same outcome for a record that binds evidence, whole and altered in any piece of it', async () => {
    const { ledger: own, bundle } = await createEvidenceLog();
    const pins = trustOf(own);
    const both = async (altered: ProofBundle) => {
      const trusted = write('trust.json', JSON.stringify(pins));
      const { outcomes } = await run('bundle', write('bundle.json', JSON.stringify(altered)), trusted);
      const { checks } = await verifyBundle(altered, pins, { verifySignature });
      const ours = checks.find((result) => result.check === 'evidence_binding')?.outcome;
      expect(outcomes['evidence_binding']).toBe(ours);
      return ours;
    };
    const whole = bundle as unknown as ProofBundle;
    expect(await both(whole)).toBe('PASS');
    const alterations: ((evidence: NonNullable<ProofBundle['evidence']>) => unknown)[] = [
      ({ accesses }) => accesses.pop(),
      ({ assets }) => assets.pop(),
      ({ assets }) => assets[0]?.erasures.pop(),
      ({ assets }) => assets[0]?.segments.pop(),
      ({ assets }) => assets[2]?.segments.forEach((segment) => (segment.index = 0)),
      ({ assets }) =>
        assets[2]?.segments.forEach((segment) => (segment.disclosed = { salt: '00'.repeat(16), text: 'x' })),
      ({ accesses }) => accesses.forEach(({ core }) => Object.assign(core, { application_key: 'other-bot' })),
    ];
    for (const alter of alterations) {
      const copy = structuredClone(whole);
      if (copy.evidence === undefined) throw new Error('the bundle shows evidence');
      alter(copy.evidence);
      expect(await both(copy)).toBe('FAIL');
    }
  });

  it('comes to the same hash of an item whatever JSON it holds', async () => {
    const items: readonly JsonObject[] = [
      { '\u{1f600}': 1, '\ufb33': 2, '': 3, a: { z: null, b: [true, false, 0] } },
      { numbers: [0.1, -2.5, 1e-6, 1.5e-7, 5e-324, 123456789012345.6, 4503599627370495.5, 9007199254740991] },
      { text: 'tab\t quote" back\\ line\n bell\u0007 del\u007f sep\u2028 é e\u0301 \u{10ffff}' },
    ];
    const id = await ledger.record({ semanticRefs: items });
    expect(await check(bundleOf(ledger, id))).toMatchObject({ status: 0, outcomes: { semantic_refs: 'PASS' } });
  });

  it.each<[string, (copy: ProofBundle) => void]>([
    ['question_commitment', ({ record }) => (record.disclosed.question = { text: 'Another?', key: null })],
    ['answer_commitment', ({ record }) => (record.disclosed.answer = null)],
    ['corrections', ({ events }) => events.forEach((event) => (event.disclosed.corrected_text = null))],
    ['source_refs', ({ record }) => record.disclosed.source_refs.reverse()],
    ['semantic_refs', ({ record }) => record.disclosed.semantic_refs.pop()],
    ['trace_refs', ({ attachments }) => attachments.forEach(({ core }) => Object.assign(core, { span_id: null }))],
    ['trace_refs', ({ attachments }) => attachments.push(...attachments)],
    ['record_hash', ({ record }) => (record.core.mode = 'other')],
    ['event_chain', ({ events }) => events.shift()],
    ['status_derivation', (copy) => (copy.status = 'recorded')],
    ['leaf_entry', ({ record }) => (record.leaf_hash = '00'.repeat(32))],
    ['merkle_inclusion', ({ record }) => (record.leaf_index += 1)],
    ['checkpoint_signature', (copy) => (copy.checkpoint = copy.checkpoint.replace(/....\n$/, 'AAA=\n'))],
    ['checkpoint_signature', (copy) => (copy.log_keys = [])],
  ])('fails %s when what it checks was altered', async (name, alter) => {
    const bundle = altered(alter);
    const { status, outcomes } = await check(bundle);
    expect(outcomes).toMatchObject({ [name]: 'FAIL' });
    expect(status).toBe(1);
    const { checks } = await verifyBundle(bundle, trust, { verifySignature });
    expect(checks.find((result) => result.check === name)?.outcome).toBe('FAIL');
  });

  it('fails every check of a bundle that does not have its format', async () => {
    const { status, outcomes } = await check({ ...bundleOf(ledger, ids.correctedId), extra: 1 });
    expect(new Set(Object.values(outcomes))).toEqual(new Set(['FAIL']));
    expect(status).toBe(1);
  });

  it('fails a receipt of another entry', async () => {
    const receipt = write('other.tlog-proof', receiptOf(ledger, 2));
    const entry = write('entry.txt', bundleOf(ledger, ids.correctedId).record.entry);
    expect(await run('receipt', receipt, entry, ledger.names.vkey)).toMatchObject({
      status: 1,
      outcomes: { leaf_entry: 'PASS', merkle_inclusion: 'FAIL', checkpoint_signature: 'PASS' },
    });
  });
});
