import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, it } from '@jest/globals';

/**
 * Libraries whose internals a file of ours uses, the major version that it was written for, and what to check again.
 */
const INTERNALS = [
  {
    library: 'pg',
    major: '8',
    file: 'libs/adapters/postgres/src/append/send-transaction.ts',
    recheck: '`connection.stream`, `parsedStatements`, and the `submit` and `handle…` methods that pg calls of a query',
  },
  {
    library: 'prom-client',
    major: '15',
    file: 'libs/runtime/src/observability/request-histogram.ts',
    recheck: 'the constructor of `Histogram`, and the form of what `get` returns',
  },
];

it.each(INTERNALS)('$file uses internals of $library $major only', ({ library, major, file, recheck }) => {
  const path = join(import.meta.dirname, '../..', file);
  const manifest = findManifest(createRequire(path).resolve(library), library);
  const advice = `${library} ${manifest.version}: check in ${file} ${recheck}; then raise the major version here`;
  expect(manifest.version.split('.')[0] === major ? 'as written for' : advice).toBe('as written for');
});

function findManifest(entry: string, name: string): { readonly version: string } {
  for (let folder = dirname(entry); folder !== dirname(folder); folder = dirname(folder)) {
    try {
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      if (manifest.name === name) return manifest;
    } catch {
      // No manifest here: one is further up.
    }
  }
  throw new Error(`${name} has no manifest above ${entry}`);
}
