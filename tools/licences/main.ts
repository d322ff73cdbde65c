import '../help/before-run.ts';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findLicenceFaults } from './find-faults.ts';

// Checks that the whole repository is under one licence; exit code 1 and a line per fault.
const root = fileURLToPath(new URL('../../', import.meta.url));
const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n');
const faults = findLicenceFaults(files, (file) => readFileSync(`${root}${file}`, 'utf8'));
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
