/**
 * Generates the conformance suite again: `npm run conformance -- v1 [-- --seed TEXT]`. The artefacts are the frozen
 * ones, in compact JSON, and the changes are drawn by the seed. Nothing is written unless both verifiers come to the
 * same verdict on every case, and every verdict keeps the rules of `rules.ts`.
 */
import '../help/before-run.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readCases } from '../../conformance/run.mjs';
import { draftSuite } from './draft-suite.ts';
import { judgeTwice } from './judge-suite.ts';
import { readRules } from './rules.ts';
import { formatSuite, writeFolder } from './write-suite.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SEED_DEFAULT = 'answer-evidence-conformance/v1';

const { values } = parseArgs({ options: { seed: { type: 'string', default: SEED_DEFAULT } } });
const draft = draftSuite(join(ROOT, 'e2e/frozen/v1'), values.seed);
const drafted = mkdtempSync(join(tmpdir(), 'conformance-'));
try {
  writeFolder(drafted, formatSuite(draft, []));
  const cases = [...readCases(drafted)];
  const { agreed, differences } = await judgeTwice(cases);
  const rules = await readRules();
  const broken = cases.flatMap(({ id }, n) => rules.faultsOf(draft, n, agreed).map((fault) => `${id}: ${fault}`));
  const faults = [...differences, ...broken];
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) {
    console.error(`${faults.length} faults in ${cases.length} cases: nothing is written`);
    process.exitCode = 1;
  } else {
    writeFolder(join(ROOT, 'conformance/v1'), formatSuite(draft, agreed));
    console.log(`conformance/v1: ${draft.sets.length} sets and ${draft.changes.length} changes`);
  }
} finally {
  rmSync(drafted, { recursive: true });
}
