import { comparePublished, readCurrent, readPublished, writePublished } from './published.ts';

/** Accepts what is there now as published, unless that lets somebody down; `--breaking` is for what no release has had yet. */
const current = await readCurrent();
const changes = comparePublished(await readPublished(), current);
for (const { kind, at, text } of changes) process.stdout.write(`${kind}: ${at}: ${text}\n`);
if (changes.some(({ kind }) => kind === 'breaking') && !process.argv.includes('--breaking')) {
  process.stderr.write('not accepted: a breaking change needs a new version of the interface\n');
  process.exitCode = 1;
} else {
  await writePublished(current);
}
