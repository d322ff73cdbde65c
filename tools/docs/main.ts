import '../help/before-run.ts';
import { writeFile } from 'node:fs/promises';
import { renderPages } from './render-pages.ts';

for (const { path, file, text, present } of await renderPages()) {
  if (text === present) continue;
  await writeFile(file, text);
  process.stdout.write(`wrote ${path}\n`);
}
