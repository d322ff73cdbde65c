import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** What is kept from others, as it is called in the sources. */
const SECRET = /\bmac\b|mac[A-Z(]|Mac\b|secret|token|password|csrf|link_?hash|api_?key/i;
/** The comparisons whose time tells where two values differ. */
const COMPARED = /\bequalBytes\([^;]*?\)|\bBuffer\.compare\([^;]*?\)/g;

function findTelling(text: string): readonly string[] {
  return (text.match(COMPARED) ?? []).filter((call) => SECRET.test(call));
}

it('no secret and no MAC is compared by what tells where it differs', () => {
  const files = globSync('{libs,apps,packages}/**/src/**/*.ts', {
    cwd: ROOT,
    exclude: (name) => name === 'node_modules',
  });
  const telling = files
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => findTelling(readFileSync(ROOT + file, 'utf8')).map((call) => `${file}: ${call}`));
  expect(files.length).toBeGreaterThan(500);
  expect(telling).toEqual([]);
});

it('is found where it is', () => {
  expect(findTelling('if (!equalBytes(row.mac, macOf(row))) throw x;')).toHaveLength(1);
  expect(findTelling('if (equalBytes(given, secret)) y;')).toHaveLength(1);
  expect(findTelling('if (equalBytes(before.root, after.root)) y;')).toEqual([]);
});
