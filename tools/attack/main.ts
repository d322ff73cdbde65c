/** Attacks a service of its own in every way of `attacks/`, and prints a table: `npm run attack`. */
import '../help/before-run.ts';
import { parseArgs } from 'node:util';
import { writeTable } from '../faults/page.ts';
import { nameOf } from './attack.ts';
import { ATTACKS } from './list-attacks.ts';
import { PAGE, readRows } from './page.ts';
import { HEAD, runAttack } from './run-attack.ts';
import { openScene } from './scene.ts';

const { values } = parseArgs({ options: { only: { type: 'string', default: '' }, write: { type: 'boolean' } } });
const chosen = ATTACKS.filter((attack) => nameOf(attack).includes(values.only));
if (chosen.length === 0) {
  process.stderr.write('no attack has that text in its kind or name\n');
  process.exit(2);
}

const scene = await openScene();
const rows = await readRows();
try {
  for (const line of HEAD) process.stdout.write(`${line}\n`);
  for (const attack of chosen) {
    const { row, holds } = await runAttack(scene, attack);
    rows.set(nameOf(attack), row);
    process.stdout.write(`${row}\n`);
    if (!holds) process.exitCode = 1;
  }
} finally {
  await scene.close();
}
if (values.write === true)
  await writeTable(PAGE, 'attacks', [...HEAD, ...ATTACKS.flatMap((attack) => rows.get(nameOf(attack)) ?? [])]);
