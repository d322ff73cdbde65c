import type { Problem } from '@answer-evidence/contracts';

/** More is not read. Lists of names and of places make the longest. */
const LENGTH_MAX = 400;

/** What to do next begins so, after what is wrong. */
const STEPS = [
  'add|allow|ask|check|choose|configure|continue|correct|do not|enable|encode|errors lists|fix|flatten|give|hash|have|issue|leave|let|list|make|merge|name',
  'pass|read|remove|report|retire|retry|revoke|run|say|see|send|sign in|split|start|state|tell|try|use|wait|write',
].join('|');
const STEP = new RegExp(
  `(?:^|[;:,.] )(?:first |or )?(?:${STEPS})\\b|\\bmust\\b|\\bis required\\b|\\b(?:is|are) expected\\b|\\bnothing may\\b|\\bat most\\b|\\bdid you mean\\b|\\bis supported at\\b|\\bsupports only\\b`,
  'i',
);

/** Words of programs that mean nothing to the caller: of the schema validator, of the runtime, of our code. */
const FOREIGN = [
  /Invalid (?:input|option|string|key|element|format)\b/,
  /\bexpected\b.*\breceived\b/i,
  /\bToo (?:big|small)\b/,
  /\bUnrecognized key/,
  /\bUnexpected (?:token|end)\b/,
  /\b[A-Z][A-Za-z]*(?:Error|Exception)\b/,
  /\[object |\bundefined\b|\bNaN\b/,
  /\b(?:libs|node_modules|apps)\/|\.[cm]?[jt]s:\d+/,
  /\b(?:ECONN\w+|EPIPE|ENOENT|sqlstate|relation "|constraint ")/i,
];

/** What is wrong with the sentence of a problem, or with the text of one of its faults; empty when nothing is. */
export function findTextFaults(text: string): readonly string[] {
  const faults = FOREIGN.filter((words) => words.test(text)).map((words) => `has words of a program: ${words.source}`);
  if (text.length > LENGTH_MAX) faults.push(`is longer than ${LENGTH_MAX} characters`);
  if (!/\w+\W+\w+/.test(text)) faults.push('has no subject and verb');
  if (!STEP.test(text)) faults.push('does not say what to do');
  return faults;
}

/** What is wrong with the texts of a problem. */
export function findProblemFaults({ title, detail, errors }: Pick<Problem, 'title' | 'detail' | 'errors'>) {
  const faults = findTextFaults(detail).map((fault) => `detail ${fault}: ${detail}`);
  if (!/^[A-Z/?_a-z"][^]*[.?]$/.test(detail)) faults.push(`detail is no sentence: ${detail}`);
  if (detail.replace(/\.$/, '').toLowerCase() === title.toLowerCase())
    faults.push(`detail repeats the title: ${detail}`);
  for (const { pointer, detail: fault } of errors)
    faults.push(...findTextFaults(fault).map((found) => `the fault at ${pointer} ${found}: ${fault}`));
  return faults;
}
