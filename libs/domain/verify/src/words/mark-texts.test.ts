import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { hashItem } from '@answer-evidence/commitments';
import { type CheckName, CHECKS, type Outcome } from '@answer-evidence/contracts';
import { markItems, markTexts } from './mark-texts.ts';

const BUNDLES = fileURLToPath(new URL('../../../../../e2e/frozen/v1/bundles/', import.meta.url));
const read = (name: string): any => JSON.parse(readFileSync(`${BUNDLES}${name}.json`, 'utf8'));
const checks = (outcomes: Partial<Record<CheckName, Outcome>> = {}) =>
  CHECKS.map((check) => ({ check, outcome: outcomes[check] ?? 'PASS' }));
const marks = (bundle: unknown, outcomes: Partial<Record<CheckName, Outcome>> = {}) =>
  markTexts(bundle, checks(outcomes)).map(({ what, mark }) => `${what} ${mark}`);

describe('the marks of texts', () => {
  it('match where the text, its record and the log hold', () => {
    expect(marks(read('corrected'))).toEqual(['question matches', 'answer matches', 'correction matches']);
  });

  it('differ alone where one text was altered', () => {
    expect(marks(read('corrected'), { answer_commitment: 'FAIL' })).toEqual([
      'question matches',
      'answer differs',
      'correction matches',
    ]);
  });

  it('tell by its own hash which of several corrections was altered', () => {
    const bundle = read('corrected');
    const corrected = bundle.events.find(({ disclosed }: any) => disclosed.corrected_text !== null);
    bundle.events.push(structuredClone(corrected));
    bundle.events.at(-1).disclosed.corrected_text.text += '!';
    expect(marks(bundle, { corrections: 'FAIL' }).slice(2)).toEqual(['correction matches', 'correction differs']);
  });

  it.each(['record_hash', 'leaf_entry', 'merkle_inclusion', 'checkpoint_signature'] as const)(
    'say of no text that it matches where %s fails or is not decided',
    (check) => {
      expect(marks(read('plain'), { [check]: 'FAIL' })).toEqual(['question differs', 'answer differs']);
      expect(marks(read('plain'), { [check]: 'SKIP' })).toEqual(['question unchecked', 'answer unchecked']);
    },
  );

  it('are on every text of what is not of its form', () => {
    const odd = { record: { disclosed: { answer: { text: 'hello' } } }, events: [{ disclosed: null }, 3] };
    expect(markTexts(odd, [])).toEqual([{ what: 'answer', sequence: undefined, text: 'hello', mark: 'unchecked' }]);
    expect(markTexts(null, [])).toEqual([]);
  });
});

describe('the marks of sources and reasons', () => {
  it('differ alone where one of them was altered, whatever the check of all of them says', () => {
    const bundle = read('voided');
    const [event] = bundle.events;
    expect(markItems(bundle, checks()).reasons.get(event.core.sequence)).toBe('matches');
    event.disclosed.reason.item += '!';
    const altered = markItems(bundle, checks({ event_chain: 'FAIL' }));
    expect(altered.reasons.get(event.core.sequence)).toBe('differs');
    expect(altered.facts).toBe('matches');
  });

  it('tell which of several sources was altered, and of one that is gone nothing', () => {
    const salt = '00'.repeat(16);
    const item = (title: string) => ({ salt, item: { title } });
    const ref = (title: string) => ({ source_ref_id: title, hash: hashItem(salt, { title }) });
    const record = {
      core: { source_refs: [ref('a'), ref('b'), ref('c')] },
      disclosed: { source_refs: [item('a'), item('B'), null] },
    };
    const marked = markItems({ record, events: [] }, checks({ source_refs: 'FAIL' }));
    expect(marked).toEqual({ sources: ['matches', 'differs', undefined], reasons: new Map(), facts: 'matches' });
    expect(markItems({ record }, checks({ record_hash: 'FAIL' }))).toMatchObject({ facts: 'differs' });
  });

  it('are none of what is not of its form', () => {
    const odd = { record: { core: { source_refs: [3] }, disclosed: { source_refs: ['x'] } }, events: [null, 4] };
    expect(markItems(odd, [])).toEqual({ sources: ['differs'], reasons: new Map(), facts: 'unchecked' });
    expect(markItems(null, [])).toEqual({ sources: [], reasons: new Map(), facts: 'unchecked' });
  });
});
