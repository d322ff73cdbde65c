import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { JsonValue } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import { alterationsOf } from '../fixtures/alterations.ts';
import { bundleOf, logViewOf, trustOf, withhold } from '../fixtures/bundles.ts';
import { createEvidenceLog } from '../fixtures/evidence-log.ts';
import { verifySignature } from '../fixtures/signer.ts';
import { createWorkedLog } from '../fixtures/worked-log.ts';
import { BundleFormatError, type LogView, verifyBundle } from './index.ts';

const { ledger, correctedId, keyedId, redactedId } = await createWorkedLog();
const trust = trustOf(ledger);
const evidence = await createEvidenceLog();

/**
 * What nothing in a log vouches for. `workspace_id` is a name that the service gives its customer's log: no entry, core
 * or checkpoint states it, and the trust file knows a log by its origin.
 */
const UNPROTECTED: readonly string[] = ['/workspace_id'];

/**
 * What only the log itself can tell: that a last event was left out which changed no status, or an attached trace.
 * Offline the check that would notice is a SKIP, never a PASS.
 */
const NEEDS_THE_LOG: readonly string[] = ['/events/1 dropped', '/attachments/0 dropped', '/attachments/1 dropped'];

async function isNoticed(bundle: JsonValue, log?: LogView, pins = trust): Promise<boolean> {
  try {
    const { checks } = await verifyBundle(bundle, pins, { verifySignature, ...(log === undefined ? {} : { log }) });
    return checks.some((check) => check.outcome === 'FAIL');
  } catch (error) {
    if (error instanceof BundleFormatError) return true;
    throw error;
  }
}

describe('a bundle altered in one place', () => {
  it.each([
    ['a corrected record', bundleOf(ledger, correctedId), NEEDS_THE_LOG],
    ['a corrected record, without texts', withhold(bundleOf(ledger, correctedId)), NEEDS_THE_LOG],
    ['a keyed record', bundleOf(ledger, keyedId), []],
    ['a redacted record', bundleOf(ledger, redactedId), []],
  ])('fails a named check, wherever it was altered: %s', async (_name, shown, needsTheLog) => {
    const bundle = shown as unknown as JsonValue;
    expect(await isNoticed(bundle, logViewOf(ledger))).toBe(false);
    const offline = new Set<string>();
    const withLog = new Set<string>();
    let alterations = 0;
    for (const { path, how, value } of alterationsOf(bundle)) {
      alterations += 1;
      if (await isNoticed(value)) continue;
      offline.add(how === 'dropped' ? `${path} dropped` : path);
      if (!(await isNoticed(value, logViewOf(ledger)))) withLog.add(path);
    }
    expect(alterations).toBeGreaterThan(150);
    expect([...withLog]).toEqual(UNPROTECTED);
    expect([...offline].filter((path) => !UNPROTECTED.includes(path))).toEqual(needsTheLog);
  });
});

describe('a bundle with evidence altered in one place', () => {
  it('fails a named check, wherever it was altered', async () => {
    const pins = trustOf(evidence.ledger);
    const log = logViewOf(evidence.ledger);
    expect(await isNoticed(evidence.bundle, log, pins)).toBe(false);
    const offline: string[] = [];
    const withLog: string[] = [];
    for (const { path, how, value } of alterationsOf(evidence.bundle)) {
      if (!path.startsWith('/evidence') || (await isNoticed(value, undefined, pins))) continue;
      offline.push(`${path} ${how}`);
      if (!(await isNoticed(value, log, pins))) withLog.push(`${path} ${how}`);
    }
    // An expiry that another record had nothing to do with is what only the log can tell.
    // To withhold a text is nobody's duty to explain: it was disclosed by anyone who had retrieved it.
    const withheld = '/evidence/assets/2/segments/0/disclosed null';
    expect(offline).toEqual(['/evidence/assets/1/erasures/0 dropped', withheld]);
    expect(withLog).toEqual([withheld]);
  });
});

/** Whether the service would have taken the value: integers beyond 2^53 - 1 and U+0000 are refused on the way in. */
function isStorable(value: unknown): boolean {
  try {
    parseJsonText(JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

describe('texts and items', () => {
  it('verify whatever they are, and no other text or item verifies in their place', async () => {
    const json = fc.dictionary(
      fc.string({ unit: 'grapheme' }),
      fc.jsonValue({ depthSize: 'small', noUnicodeString: false }),
    );
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), json, fc.boolean(), async (raw, item, keyed) => {
        const text = raw.toWellFormed();
        fc.pre(isStorable([text, item]));
        const { ledger: own } = await createWorkedLog();
        const id = await own.record({
          question: { text, keyed },
          semanticRefs: [item as { readonly [key: string]: JsonValue }],
        });
        const bundle = structuredClone(bundleOf(own, id));
        expect(await isNoticed(bundle as unknown as JsonValue)).toBe(false);
        const question = bundle.record.disclosed.question;
        if (question === null) throw new Error('the text is shown');
        question.text = `${text} `;
        expect(await isNoticed(bundle as unknown as JsonValue)).toBe(true);
        question.text = text;
        bundle.record.disclosed.semantic_refs = [{ salt: '00'.repeat(16), item: { ...item, more: 1 } }];
        expect(await isNoticed(bundle as unknown as JsonValue)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });
});
