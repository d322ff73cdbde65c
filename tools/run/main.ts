/** Starts a program of a group by its name: `npm run bench -- growth`, `npm run suite -- split`. */
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { GROUPS } from './programs.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const [group = '', ...words] = process.argv.slice(2);
const targets = GROUPS[group] ?? {};
const named = Object.hasOwn(targets, words[0] ?? '') ? words[0] : undefined;
const target = targets[named ?? ''];
if (target === undefined) {
  const names = Object.keys(targets).filter((name) => name !== '');
  const isAsked = words.some((word) => word === '--help' || word === '-h');
  process[isAsked ? 'stdout' : 'stderr'].write(`npm run ${group} -- ${names.join(' | ')}\n`);
  process.exit(isAsked ? 0 : 2);
}
if (target.isBuilt === true) {
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
const options = target.args[0] === '--no-warnings' ? [] : ['--disable-warning=ExperimentalWarning'];
const child = spawn(process.execPath, [...options, ...target.args, ...(named === undefined ? words : words.slice(1))], {
  stdio: 'inherit',
  env: { ...process.env, ...target.environment },
});
// What ends this process ends the program; a terminal's signals reach both by themselves.
process.once('SIGTERM', () => child.kill('SIGTERM'));
process.on('SIGINT', () => undefined);
child.once('exit', (code, signal) => {
  process.exitCode = code ?? (signal === null ? 1 : 130);
});
