/** Looks for inputs that a parser does not stand: `npm run fuzz [-- --seconds 60 --only notes,der --seed 7]`. */
import '../help/before-run.ts';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { TARGETS } from './list-targets.ts';
import { nameOf, runTarget } from './run-target.ts';

const HOUR_SECONDS = 3_600;

const { values } = parseArgs({
  options: { seconds: { type: 'string' }, only: { type: 'string' }, seed: { type: 'string' } },
});
const seconds = Number(values.seconds ?? HOUR_SECONDS);
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
const chosen = TARGETS.filter(({ name }) => values.only?.split(',').includes(name) ?? true);
if (chosen.length === 0 || !(seconds > 0) || !Number.isInteger(seed)) {
  process.stderr.write(
    `give --seconds and --seed as numbers, and of --only names: ${TARGETS.map(({ name }) => name).join()}\n`,
  );
  process.exit(2);
}

process.stdout.write(`${chosen.length} targets, ${seconds} s each, --seed ${seed}\n`);
for (const target of chosen) {
  const { inputs, slowestMs, fault } = await runTarget(target, { seed, ms: seconds * 1_000 });
  process.stdout.write(`${target.name.padEnd(14)} ${inputs} inputs, the slowest ${Math.round(slowestMs)} ms\n`);
  if (fault === undefined) continue;
  const path = fileURLToPath(new URL(`corpus/${target.name}/${nameOf(fault.input)}`, import.meta.url));
  writeFileSync(path, fault.input);
  process.stdout.write(`FAULT, kept in ${path}\n${fault.words}\n`);
  process.exitCode = 1;
}
