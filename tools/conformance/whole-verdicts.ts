import type { Verdict } from '../../conformance/run.mjs';
import { ALL, type Expected } from './sets/whole-case.ts';

/** What is wrong with a verdict, by what the rules state. */
export function findFaults(expected: Expected, { refused, outcomes = {} }: Verdict): readonly string[] {
  if ('refused' in expected) return refused === true ? [] : ['must be refused'];
  if (refused === true) return ['must be judged'];
  const others = Object.entries(expected.outcomes ?? {})
    .filter(([check, outcome]) => outcomes[check] !== outcome)
    .map(([check, outcome]) => `${check} is ${outcomes[check]}, and must be ${outcome}`);
  return expected.fails === undefined ? others : [...others, ...findWrongFails(expected.fails, outcomes)];
}

function findWrongFails(expected: readonly string[], outcomes: Readonly<Record<string, string>>): readonly string[] {
  const failed = Object.keys(outcomes).filter((check) => outcomes[check] === 'FAIL');
  if (expected[0] === ALL) return failed.length === Object.keys(outcomes).length ? [] : ['must fail every check'];
  // A case whose record fails cannot be anchored either.
  const others = failed.filter((check) => check !== 'anchored' && !expected.includes(check));
  return [
    ...expected.filter((check) => !failed.includes(check)).map((check) => `${check} must be FAIL`),
    ...others.map((check) => `${check} must not be FAIL`),
  ];
}
