import '../help/before-run.ts';
import { comparePublished, readCurrent, readPublished, writePublished } from './published.ts';

/** Accepts the current state as published unless it breaks users; `--breaking` is for what was never released. */
const current = await readCurrent();
const changes = comparePublished(await readPublished(), current);
// What is shared is met wherever it is used; the first place says it.
const told = new Map(
  changes
    .toReversed()
    .map((change) => [`${change.kind}: ${change.at.replace(/^.* \d{3}/, '')} ${change.text}`, change]),
);
for (const { kind, at, text } of [...told.values()].reverse()) process.stdout.write(`${kind}: ${at}: ${text}\n`);
if (changes.some(({ kind }) => kind === 'breaking') && !process.argv.includes('--breaking')) {
  process.stderr.write('not accepted: a breaking change needs a new version of the interface\n');
  process.exitCode = 1;
} else {
  await writePublished(current);
}
