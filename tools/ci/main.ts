import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { IN_BOTH, IN_BOTH_ON_REQUEST } from '../jest/shapes.ts';
import { isTest } from './find-inputs.ts';
import { readSources } from './read-sources.ts';
import { listRuns, type Passed, recordPassed, type Run, selectRuns } from './select.ts';

/**
 * What `.ci/run` runs, and what it has learned. `select FOLDER [--all]` writes the files to run, a list for each shape;
 * `record FOLDER` reads the reports that Jest left there into the record of what passed.
 */
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const RECORD = join(ROOT, '.ci/passed.json');
/** These have runs of their own, as `jest.config.mjs` says. */
const ELSEWHERE = /-(?:failover|deployed)\.test\.ts$/;

/** A file that took less runs each time: together those take less than the few that take longest. */
const LONG_MS = 10_000;

/** The reports of Jest as far as they are read here. */
type Report = {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly startTime: number;
    readonly endTime: number;
  }[];
};

const [command, folder = '', ...flags] = process.argv.slice(2);
const passed = existsSync(RECORD) ? (JSON.parse(readFileSync(RECORD, 'utf8')) as Passed) : {};
const runsFile = join(folder, 'runs.json');
if (command === 'select') select(flags.includes('--all'));
else if (command === 'record') record();
else throw new Error('select FOLDER [--all], or record FOLDER');

function select(all: boolean): void {
  const sources = readSources(ROOT);
  const one = [...sources.digests.keys()].filter((file) => isTest(file) && !ELSEWHERE.test(file));
  const names = all ? [...IN_BOTH, ...IN_BOTH_ON_REQUEST] : IN_BOTH;
  const runs = listRuns(sources, { one, split: names.map((name) => `e2e/${name}.test.ts`) });
  const selected = all ? runs : selectRuns(runs, passed);
  writeFileSync(runsFile, JSON.stringify(runs));
  for (const shape of ['one', 'split'] as const) {
    const files = selected.filter((run) => run.shape === shape).map(({ file }) => `${file}\n`);
    writeFileSync(join(folder, shape), files.join(''));
  }
  const left = runs.length - selected.length;
  process.stdout.write(
    `${selected.length} of ${runs.length} runs of test files; ${left} passed before with all that they depend on as it is\n`,
  );
}

function record(): void {
  const runs = JSON.parse(readFileSync(runsFile, 'utf8')) as readonly Run[];
  const ran = { one: readReport('one'), split: readReport('split') };
  const ofFile = ({ file, shape }: Run) => ran[shape].find(({ name }) => relative(ROOT, name) === file);
  const isShort = (run: Run) => {
    const { startTime, endTime } = ofFile(run) ?? { startTime: 0, endTime: Infinity };
    return run.shape === 'one' && endTime - startTime < LONG_MS;
  };
  const long = runs.filter((run) => !isShort(run));
  const newly = long.filter((run) => ofFile(run)?.status === 'passed');
  const record = recordPassed(long, passed, newly);
  writeFileSync(RECORD, `${JSON.stringify(record, undefined, 2)}\n`);
  process.stdout.write(`${newly.length} runs are noted as passed in ${relative(ROOT, RECORD)}\n`);
}

function readReport(shape: Run['shape']): Report['testResults'] {
  const report = join(folder, `${shape}.json`);
  return existsSync(report) ? (JSON.parse(readFileSync(report, 'utf8')) as Report).testResults : [];
}
