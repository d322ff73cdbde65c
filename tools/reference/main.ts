/**
 * Makes the reference pages of what is published into `dist/reference/`: a folder of HTML for each npm package and one
 * for the Python package. Public names without a description, and links to nothing, are errors. `npm run
 * docs:site -- reference`; with `-- --python PROGRAM`, by another Python than `python3`.
 */
import '../help/before-run.ts';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readSources, REFERENCED, writePackageReference } from './write-package-reference.ts';
import { writePythonReference } from './write-python-reference.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const OUT = join(ROOT, 'dist/reference');

const { python } = parseArgs({ options: { python: { type: 'string', default: 'python3' } } }).values;
await rm(OUT, { recursive: true, force: true });
const sources = readSources(ROOT);
for (const name of REFERENCED) {
  console.log(`dist/reference/${name}`);
  const faults = await writePackageReference(ROOT, name, join(OUT, name), sources);
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}
try {
  console.log('dist/reference/python');
  await writePythonReference(ROOT, python, join(OUT, 'python'));
} catch (error) {
  console.error((error as Error).message);
  console.error(`The pages of the Python package need pdoc and what the package integrates:
  ${python} -m pip install pdoc 'packages/python[langchain,llama-index,otel]'`);
  process.exitCode = 1;
}
