import '../help/before-run.ts';
import { writeFile } from 'node:fs/promises';
import { listDialects } from './list-dialects.ts';

const { path: list, text: dialects, present: before } = await listDialects();
if (dialects !== before) {
  await writeFile(list, dialects);
  process.stdout.write(`wrote ${list}\n`);
}
// Only now: the pages are made from what is listed.
const { renderPages } = await import('./render-pages.ts');
for (const { path, file, text, present } of await renderPages()) {
  if (text === present) continue;
  await writeFile(file, text);
  process.stdout.write(`wrote ${path}\n`);
}
