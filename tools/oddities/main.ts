/** Runs the tests of faults that were reported in public: `npm run suite -- oddities [TEXT]`. */
import '../help/before-run.ts';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { readReports, testsOf } from './read-reports.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const [wanted = ''] = process.argv.slice(2);
const reports = await readReports();
const chosen = reports.filter(({ kind, sources }) => [kind, ...sources].some((text) => text.includes(wanted)));
const files = testsOf(chosen);
if (files.length === 0) {
  process.stderr.write('no row with tests has that text in its kind or sources; see tools/oddities/reports.json\n');
  process.exit(1);
}
process.stdout.write(`${String(chosen.length)} kinds of faults, ${String(files.length)} files of tests\n`);
for (const { kind, open } of chosen) if (open !== undefined) process.stdout.write(`open: ${kind}: ${open}\n`);
const { status } = spawnSync('npm', ['test', '--', '--runTestsByPath', ...files], { cwd: ROOT, stdio: 'inherit' });
process.exit(status ?? 1);
