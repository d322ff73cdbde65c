/**
 * Generates version 2 of the conformance suite, and the corrections of version 1: `npm run conformance -- v2`.
 * Nothing is written unless both verifiers come to the same verdict on every case, and it is the one that the rules
 * state.
 */
import '../help/before-run.ts';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { utf8 } from '@answer-evidence/encoding';
import { type Case, readFrozenCases, type Verdict } from '../../conformance/run.mjs';
import { judgeTwice } from './judge-suite.ts';
import { listWholeCases } from './list-whole-cases.ts';
import type { WholeCase } from './sets/whole-case.ts';
import { findFaults } from './whole-verdicts.ts';
import { writeFolder } from './write-suite.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The files of version 2, with these verdicts. */
function formatWhole(cases: readonly WholeCase[], verdicts: readonly Verdict[]): ReadonlyMap<string, Uint8Array> {
  const lines = cases.map(({ id, given }, n) => `${JSON.stringify({ id, given, ...verdicts[n] })}\n`);
  const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_QUALITY]: 11 };
  const compressed = new Uint8Array(brotliCompressSync(utf8(lines.join('')), { params }));
  const sha256 = { 'cases.jsonl.br': createHash('sha256').update(compressed).digest('hex') };
  const manifest = { format: 'answer-evidence-conformance/v2', cases: cases.length, sha256 };
  return new Map([
    ['cases.jsonl.br', compressed],
    ['manifest.json', utf8(`${JSON.stringify(manifest, undefined, 2)}\n`)],
  ]);
}

/** The verdicts of version 1 that both verifiers contradict: only a trust file that is now refused may be one. */
function formatCorrections(cases: readonly Case[], verdicts: readonly Verdict[]): string {
  return cases
    .flatMap(({ id, expected }, n) => {
      const isRefused = verdicts[n]?.refused === true;
      if (expected === undefined || !isRefused) return [];
      if (!/: (trust|references) /.test(id)) throw new Error(`${id}: is refused, and only pins and lists may be`);
      return [`${JSON.stringify({ case: n, id, refused: true })}\n`];
    })
    .join('');
}

const whole = listWholeCases(join(ROOT, 'e2e/frozen/v1'));
const cases = whole.map(({ id, given }) => ({ id, given, expected: undefined }));
const { agreed, differences } = await judgeTwice(cases);
const faults = [
  ...differences,
  ...whole.flatMap(({ id, expected }, n) => findFaults(expected, agreed[n] ?? {}).map((fault) => `${id}: ${fault}`)),
];
for (const fault of faults) console.error(fault);
if (faults.length > 0) {
  console.error(`${faults.length} faults in ${cases.length} cases: nothing is written`);
  process.exitCode = 1;
} else {
  const frozen = [...readFrozenCases()];
  const judged = await judgeTwice(frozen);
  if (judged.differences.length > 0) throw new Error(judged.differences.join('\n'));
  writeFileSync(join(ROOT, 'conformance/v1/corrections.jsonl'), formatCorrections(frozen, judged.agreed));
  writeFolder(join(ROOT, 'conformance/v2'), formatWhole(whole, agreed));
  console.log(`conformance/v2: ${cases.length} cases`);
}
