/**
 * Makes a release into `dist/release/` and tries it as its users would. `npm run release -- --dry-run` needs no
 * account; without `--dry-run` it also demands what a release needs. `--set VERSION` writes a version, and the rest of
 * what the root `package.json` says of the product, to every place; `--check` finds places that differ.
 */
import '../help/before-run.ts';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readIdentity, VERSION } from './identity.ts';
import { findDifferences, findUnkept, openRepository } from './places.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const { values } = parseArgs({
  options: {
    'dry-run': { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    set: { type: 'string' },
    base: { type: 'string' },
    sign: { type: 'string' },
    with: { type: 'string' },
  },
});

if (values.set !== undefined) setVersion(values.set);
else if (!check()) process.exitCode = 1;
else if (!values.check)
  await (await import('./release.ts')).release(ROOT, { ...values, isRehearsal: values['dry-run'] });

function setVersion(version: string): void {
  if (!VERSION.test(version)) throw new Error(`--set takes a version such as 1.2.3 or 1.2.3-rc.1, and not ${version}`);
  const { paths, read, write } = openRepository(ROOT);
  const differences = findDifferences({ ...readIdentity(), version }, paths, read);
  for (const [path, text] of differences) write(path, text);
  console.log(`${differences.size} files are of ${version} now`);
}

function check(): boolean {
  const { paths, read } = openRepository(ROOT);
  const faults = [
    ...[...findDifferences(readIdentity(), paths, read).keys()].map(
      (path) => `${path} differs from package.json: npm run release -- --set ${readIdentity().version}`,
    ),
    ...findUnkept(readIdentity(), paths, read).map(
      (path) => `${path} names a version: add it to tools/release/places.ts`,
    ),
  ];
  for (const fault of faults) console.error(fault);
  return faults.length === 0;
}
