import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { findUnusedExports } from './unused-exports.ts';

/** Packages that others use too: what they export is their interface, whether or not this repository uses it. */
const READ_WHOLE = /^(?:libs\/(?:contracts|client|domain\/verify)|packages)\//;

const paths = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', '*.ts', '*.tsx'], {
  encoding: 'utf8',
});
const files = paths
  .split('\n')
  .filter((path) => path !== '')
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
const unused = findUnusedExports(files).filter((found) => !READ_WHOLE.test(found));
for (const found of unused) console.error(`${found} is used in its own file only; remove \`export\`, or the code`);
if (unused.length > 0) process.exitCode = 1;
