import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { CHECKS, type Outcome } from '@answer-evidence/contracts';
import { findLevels, groupChecks, sortByUrgency } from './word-groups.ts';
import { chooseLanguage, WORDS } from './words.ts';

const PYTHON = new URL('../../../../../packages/python/src/answer_evidence/verify/words.json', import.meta.url);
const decided = (outcomes: Readonly<Record<string, Outcome>>, others: Outcome = 'PASS') =>
  CHECKS.map((check) => ({ check, outcome: outcomes[check] ?? others }));
const statesOf = (...args: Parameters<typeof decided>) =>
  Object.fromEntries(groupChecks(decided(...args)).map(({ group, state }) => [group, state]));

describe('the words of the verifier', () => {
  it('are the same in Python', async () => {
    expect(JSON.parse(await readFile(PYTHON, 'utf8'))).toEqual(WORDS);
  });

  it('say the same things in every language, each once', () => {
    const namesOf = (value: object, before = ''): readonly string[] =>
      Object.entries(value).flatMap(([name, text]) =>
        typeof text === 'string' ? [`${before}${name}`] : namesOf(text as object, `${before}${name}.`),
      );
    expect(namesOf(WORDS.de)).toEqual(expect.arrayContaining([...namesOf(WORDS.en)]));
    expect(namesOf(WORDS.de)).toHaveLength(namesOf(WORDS.en).length);
    const limits = Object.values(WORDS.de.checks).map(({ not_proved: text }) => text);
    expect(limits.every((text) => text.startsWith('Nicht, dass '))).toBe(true);
  });

  it('are those of the first language that is known', () => {
    expect(['de-AT', 'de_DE.UTF-8', 'fr', 'en'].map((tag) => chooseLanguage([tag]))).toEqual(['de', 'de', 'en', 'en']);
  });
});

describe('the groups of checks', () => {
  it('have every check in exactly one of them', () => {
    const grouped = groupChecks(decided({})).flatMap(({ checks }) => checks.map(({ check }) => check));
    expect(grouped.toSorted()).toEqual([...CHECKS].toSorted());
  });

  it('come to what the worst of their checks came to, and put what fails first', () => {
    expect(statesOf({})).toEqual({ text: 'holds', record: 'holds', history: 'holds', log: 'holds', outside: 'holds' });
    expect(groupChecks(decided({ receipt: 'FAIL' }))[0]).toMatchObject({ group: 'log', state: 'fails' });
    expect(statesOf({ event_completeness: 'SKIP' })).toMatchObject({ history: 'partly', log: 'holds' });
    expect(statesOf({ checkpoint_signature: 'SKIP' })).toMatchObject({ log: 'open' });
    expect(statesOf({}, 'NA')).toEqual({ text: 'none', record: 'none', history: 'none', log: 'none', outside: 'none' });
  });

  it('take no list of the caller for an attestation, and what it contradicts for one', () => {
    const nobody: Record<string, Outcome> = { witness_cosignatures: 'NA', external_anchor: 'NA', anchored: 'NA' };
    expect(statesOf({ ...nobody, reconciliation: 'PASS' })).toMatchObject({ outside: 'none' });
    expect(statesOf({ ...nobody, reconciliation: 'FAIL' })).toMatchObject({ outside: 'fails' });
  });
});

describe('what may be said', () => {
  const levelsOf = (outcomes: Readonly<Record<string, Outcome>>) =>
    findLevels(decided(outcomes)).map(({ state }) => state);

  it('grows with what is attested, and nothing may be said of a record that is not the one in the log', () => {
    expect(levelsOf({})).toEqual(['said', 'said', 'said', 'said']);
    expect(levelsOf({ external_anchor: 'SKIP', reconciliation: 'NA' })).toEqual(['said', 'said', 'open', 'open']);
    expect(levelsOf({ witness_cosignatures: 'FAIL' })).toEqual(['said', 'denied', 'said', 'said']);
    expect(levelsOf({ record_hash: 'FAIL' })).toEqual(['denied', 'denied', 'denied', 'denied']);
    expect(levelsOf({ checkpoint_signature: 'SKIP' })).toEqual(['open', 'open', 'open', 'open']);
  });
});

it('checks are shown by urgency', () => {
  const checks = (['NA', 'PASS', 'SKIP', 'FAIL', 'PASS'] as const).map((outcome, n) => ({ outcome, n }));
  expect(sortByUrgency(checks).map(({ n }) => n)).toEqual([3, 2, 1, 4, 0]);
});
