/** Attacks a service of its own in every way of `attacks/`, and prints a table: `npm run attack`. */
import '../help/before-run.ts';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeTable } from '../faults/page.ts';
import { ATTACKS } from './list-attacks.ts';
import { HEAD, runAttack } from './run-attack.ts';
import { openScene } from './scene.ts';

const PAGE = fileURLToPath(new URL('../../docs/security/attacks.md', import.meta.url));

const { values } = parseArgs({ options: { only: { type: 'string', default: '' }, write: { type: 'boolean' } } });
const chosen = ATTACKS.filter(({ kind, name }) => `${kind}: ${name}`.includes(values.only));
if (chosen.length === 0 || (values.write === true && values.only !== '')) {
  process.stderr.write('no attack has that text in its kind or name, or --write is given without all of them\n');
  process.exit(2);
}

const scene = await openScene();
const rows: string[] = [];
try {
  for (const line of HEAD) process.stdout.write(`${line}\n`);
  for (const attack of chosen) {
    const { row, holds } = await runAttack(scene, attack);
    rows.push(row);
    process.stdout.write(`${row}\n`);
    if (!holds) process.exitCode = 1;
  }
} finally {
  await scene.close();
}
if (values.write === true) await writeTable(PAGE, 'attacks', [...HEAD, ...rows]);
