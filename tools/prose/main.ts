import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findFaults } from './find-faults.ts';
import { FIXED_FILES } from './rules.ts';

// Checks the prose of every file in the repository; exit code 1 and a line per fault when there is any.
const root = fileURLToPath(new URL('../../', import.meta.url));
const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
});
const files = listed.split('\n').filter((file) => /\.(?:ts|mjs|md|py|sql)$/.test(file) && !FIXED_FILES.test(file));
const asked = process.argv.slice(2);
const faults = files
  .filter((file) => asked.length === 0 || asked.some((start) => file.startsWith(start)))
  .flatMap((file) => findFaults(file, read(file)).map(({ line, fault }) => `${file}:${line} ${fault}`));
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;

/** The text of a file; empty for one that is listed and deleted. */
function read(file: string): string {
  try {
    return readFileSync(`${root}${file}`, 'utf8');
  } catch {
    return '';
  }
}
