import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { hashCoreText, parseEntry } from '@answer-evidence/commitments';
import { trustFile } from '@answer-evidence/contracts';
import { canonicalize, formatHex, parseJsonText } from '@answer-evidence/encoding';
import { leafHash } from '@answer-evidence/merkle';
import { formatReferenceSet, parseReferenceLine } from '@answer-evidence/reconciliation';
import { bundleOf, consistencyOf, trustOf } from '../fixtures/bundles.ts';
import { readExampleBlocks } from '../fixtures/document-blocks.ts';
import { createExampleLog } from '../fixtures/example-log.ts';
import { createExampleRun } from '../fixtures/example-run.ts';
import { verifySignature } from '../fixtures/signer.ts';
import { verifyBundle, verifyReceipt, verifyReconciliation } from './index.ts';

const document = await readFile(resolve(import.meta.dirname, '../../../../docs/formats/example.md'), 'utf8');
const blocks = readExampleBlocks(document);
const { ledger, recordId } = await createExampleLog();

function getBlock(name: string): string {
  const block = blocks.get(name);
  if (block === undefined) throw new Error(`the document has no example ${name}`);
  return block;
}

const trust = trustFile.parse(parseJsonText(getBlock('trust')));
const receipt = `${getBlock('receipt')}\n`;

describe('the worked example of docs/formats/example.md', () => {
  it('is what the service’s own functions make of it today', () => {
    expect(parseJsonText(getBlock('bundle'))).toEqual(bundleOf(ledger, recordId));
    expect(trust).toEqual(trustOf(ledger));
    expect(getBlock('vkey')).toBe(ledger.names.vkey);
  });

  it('verifies, with the caller’s receipt and its consistency proof', async () => {
    const options = { verifySignature, receipt, consistency: consistencyOf(ledger, 4, 6) };
    const { checks } = await verifyBundle(parseJsonText(getBlock('bundle')), trust, options);
    const outcomes = Object.fromEntries(checks.map(({ check, outcome }) => [check, outcome]));
    expect(outcomes).toMatchObject({
      question_commitment: 'PASS',
      answer_commitment: 'PASS',
      corrections: 'PASS',
      source_refs: 'PASS',
      semantic_refs: 'PASS',
      record_hash: 'PASS',
      event_chain: 'PASS',
      event_completeness: 'SKIP',
      status_derivation: 'PASS',
      leaf_entry: 'PASS',
      merkle_inclusion: 'PASS',
      checkpoint_signature: 'PASS',
      receipt: 'PASS',
    });
  });

  it('has intermediate values that follow from each other', async () => {
    const core = getBlock('core');
    const entry = getBlock('entry');
    expect(canonicalize(parseJsonText(core))).toBe(core);
    expect(parseEntry(entry).hash).toBe(`sha256:${formatHex(hashCoreText('answer_recorded', core))}`);
    expect(formatHex(leafHash(entry))).toBe(getBlock('leaf-hash'));
    const checks = await verifyReceipt(receipt, entry, [getBlock('vkey')], verifySignature);
    expect(checks.map((check) => check.outcome)).toEqual(['PASS', 'PASS', 'PASS']);
  });
});

describe('the run of the worked example', () => {
  const lines = (name: string) => getBlock(name).split('\n');

  it('is what the service’s own functions make of it today', async () => {
    const { proof, files } = await createExampleRun();
    expect(parseJsonText(getBlock('run-proof'))).toEqual(proof);
    expect(lines('run-references')).toEqual(formatReferenceSet(files.references));
    expect(lines('run-records')).toEqual(files.records);
    expect(lines('run-findings')).toEqual(files.findings);
    expect(`${getBlock('run-note')}\n`).toBe(proof.note);
  });

  it('verifies from the list, the record set and the trust file', async () => {
    const references = lines('run-references').map(parseReferenceLine);
    const files = { references, records: lines('run-records'), findings: lines('run-findings') };
    const { checks } = await verifyReconciliation(parseJsonText(getBlock('run-proof')), files, trust, {
      verifySignature,
    });
    expect(checks.filter(({ outcome }) => outcome === 'FAIL')).toEqual([]);
    expect(checks.filter(({ outcome }) => outcome === 'PASS')).toHaveLength(9);
  });
});
