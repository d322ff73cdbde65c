/** Imported first by programs of the repository: with `--help` it prints what the program does, and nothing is done. */
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROGRAMS } from './programs.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

if (process.argv.some((word) => word === '--help' || word === '-h')) {
  const program = PROGRAMS[relative(ROOT, process.argv[1] ?? '')];
  process.stdout.write(program === undefined ? 'See CONTRIBUTING.md.\n' : `${program.usage}\n    ${program.purpose}\n`);
  process.exit(0);
}
