import '../help/before-run.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestPackage, PROGRAMS } from './digest-package.ts';

const kept = JSON.parse(readFileSync(join(import.meta.dirname, 'checksums.json'), 'utf8')) as Record<string, unknown>;
for (const [name, pattern] of Object.entries(PROGRAMS)) {
  const found = await digestPackage(join('node_modules', name), pattern);
  const isKept = JSON.stringify(found) === JSON.stringify(kept[name]);
  console.log(`${isKept ? 'same' : 'OTHER'}  ${name} ${found.version}  ${found.files} files  ${found.sha256}`);
  if (!isKept) process.exitCode = 1;
}
