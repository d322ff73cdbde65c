import { describe, expect, it } from '@jest/globals';
import type { JsonValue } from '@answer-evidence/contracts';
import { canonicalize, parseJsonText } from '@answer-evidence/encoding';
import { formatReferenceLine, parseReferenceLine, type Reference } from '@answer-evidence/reconciliation';
import { alterationsOf } from '../../fixtures/alterations.ts';
import { trustOf } from '../../fixtures/bundles.ts';
import { createReconciledLog } from '../../fixtures/reconciled-log.ts';
import { verifySignature } from '../../fixtures/signer.ts';
import { BundleFormatError, verifyReconciliation } from '../index.ts';

const { ledger, proof, files } = await createReconciledLog();
const trust = trustOf(ledger);
const whole = proof as unknown as JsonValue;

/** The checks that fail; the format is a check too. */
async function failing(changed: { proof?: JsonValue; files?: Partial<typeof files> }): Promise<readonly string[]> {
  try {
    const result = await verifyReconciliation(
      changed.proof === undefined ? whole : changed.proof,
      { ...files, ...changed.files },
      trust,
      {
        verifySignature,
      },
    );
    return result.checks.filter(({ outcome }) => outcome === 'FAIL').map(({ check }) => check);
  } catch (error) {
    if (error instanceof BundleFormatError) return ['format'];
    throw error;
  }
}

describe('whatever is altered in one place', () => {
  it('of the proof fails a check', async () => {
    expect(await failing({})).toEqual([]);
    const unnoticed: string[] = [];
    let alterations = 0;
    for (const { path, how, value } of alterationsOf(whole)) {
      alterations += 1;
      if ((await failing({ proof: value })).length === 0) unnoticed.push(`${path} ${how}`);
    }
    expect(alterations).toBeGreaterThan(150);
    expect(unnoticed).toEqual([]);
  });

  it('of the references fails their own check', async () => {
    const lines = files.references.map((reference) => parseJsonText(formatReferenceLine(reference)));
    let alterations = 0;
    for (const { value } of alterationsOf(lines)) {
      const references = readReferences(value);
      if (references === undefined) continue;
      alterations += 1;
      expect(await failing({ files: { references } })).toContain('references');
    }
    expect(alterations).toBeGreaterThan(20);
  });

  it('of the record set fails its own check', async () => {
    let alterations = 0;
    for (const [n, line] of files.records.entries()) {
      for (const { value } of alterationsOf(parseJsonText(line))) {
        alterations += 1;
        const records = files.records.map((other, i) => (i === n ? canonicalize(value) : other));
        expect(await failing({ files: { records } })).toContain('records');
      }
    }
    expect(alterations).toBeGreaterThan(500);
  });

  it('of a file of findings fails their check and no other', async () => {
    for (const [n, line] of files.findings.entries()) {
      for (const { value } of alterationsOf(parseJsonText(line))) {
        const findings = files.findings.map((other, i) => (i === n ? canonicalize(value) : other));
        expect(await failing({ files: { findings } })).toEqual(['findings']);
      }
    }
  });
});

/** References as a file would have them; undefined where the alteration left something that is no reference. */
function readReferences(value: JsonValue): readonly Reference[] | undefined {
  try {
    return Array.isArray(value) ? value.map((item: JsonValue) => parseReferenceLine(canonicalize(item))) : undefined;
  } catch {
    return undefined;
  }
}
