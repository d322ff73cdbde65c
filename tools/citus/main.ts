/**
 * Runs end-to-end tests on Citus: `npm run suite -- citus [FILES]`. `CITUS_URL` names a database of a coordinator that
 * has at least two workers, as its superuser; without it nothing is run.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { citusVariable, findNodes } from '@answer-evidence/testing';
import { ON_CITUS } from '../jest/on-citus.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const WORKERS_MIN = 2;
const USAGE = `npm run suite -- citus [FILES]
    Runs end-to-end tests on Citus. CITUS_URL names a database of a coordinator with ${WORKERS_MIN} workers or more.`;

const words = process.argv.slice(2);
const url = process.env[citusVariable];
if (words.includes('--help') || words.includes('-h')) process.stdout.write(`${USAGE}\n`);
else if (url === undefined || url === '')
  process.stdout.write(`not run: ${citusVariable} names no coordinator of Citus (docs/architecture/distribution.md)\n`);
else process.exitCode = await run(url);

async function run(coordinator: string): Promise<number> {
  const workers = (await findNodes(coordinator)).length - 1;
  if (workers < WORKERS_MIN) {
    process.stderr.write(`${citusVariable} names a coordinator with ${workers} workers; it takes ${WORKERS_MIN}\n`);
    return 2;
  }
  const files = words.length > 0 ? words : ON_CITUS.map((name) => `e2e/${name}\\.test\\.ts$`);
  const args = ['--no-warnings', 'node_modules/jest/bin/jest.js', '--maxWorkers=2', ...files];
  return spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' }).status ?? 1;
}
