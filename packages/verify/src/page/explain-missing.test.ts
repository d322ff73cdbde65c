import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { explainMissing } from './explain-missing.ts';

const BUNDLES = fileURLToPath(new URL('../../../../e2e/frozen/v1/bundles/', import.meta.url));
const read = (name: string): any => JSON.parse(readFileSync(`${BUNDLES}${name}.json`, 'utf8'));

// Every object has a member of the last name.
it.each(['lost', 'constructor'])('a text in the state %s is in one that the page does not know', (state) => {
  const commitment = { text_state: state };
  const bundle = {
    record: { core: { question: commitment, answer: commitment }, disclosed: { question: null, answer: null } },
  };
  expect(explainMissing(bundle, 'en')).toEqual([
    'The text of the question is in a state that this page does not know.',
    'The text of the answer is in a state that this page does not know.',
  ]);
});

it.each([
  ['plain', []],
  ['redacted', ['redacted', 'redacted']],
  ['expired', ['expired', 'expired']],
  ['not-submitted', ['never sent', 'never sent']],
  ['answer-discarded', ['not stored']],
] as const)('of the bundle %s is said why its texts are not in it', (name, reasons) => {
  const said = explainMissing(read(name), 'en');
  expect(said).toHaveLength(reasons.length);
  said.forEach((sentence, n) => expect(sentence).toContain(reasons[n]));
});
