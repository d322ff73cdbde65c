import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const SOURCES = fileURLToPath(new URL('../', import.meta.url));
/** A role that is compared, where a right is to be asked for. */
const COMPARED = /\bisManager\b|\brole\s*[!=]==?|[!=]==?\s*'(?:manager|member|auditor|reviewer|read_only)'/;
/** Who is of which role is what these pages are about. */
const ABOUT_ROLES = /^pages\/members\//;
/** What everybody who signed in may open. */
const FOR_ALL = ['/device'];

describe('the pages', () => {
  it('ask for rights, and never for a role', async () => {
    const found: string[] = [];
    for await (const name of glob('**/*.{ts,tsx}', { cwd: SOURCES })) {
      if (name.endsWith('.test.ts') || ABOUT_ROLES.test(name)) continue;
      const lines = (await readFile(`${SOURCES}${name}`, 'utf8')).split('\n');
      found.push(...lines.flatMap((line, at) => (COMPARED.test(line) ? [`${name}:${at + 1}`] : [])));
    }
    expect(found).toEqual([]);
    expect("isManager={role === 'manager'}").toMatch(COMPARED);
  });

  it('each have a right that opens them', async () => {
    const router = await readFile(`${SOURCES}shell/router.tsx`, 'utf8');
    const pages = [...router.matchAll(/= page\(\s*'([^']+)',\s*(\{[^}]*\})/g)];
    expect(pages.length).toBeGreaterThan(15);
    const open = pages
      .filter(([, path, facts = '']) => path !== '/' && !facts.includes('right:'))
      .map(([, path]) => path);
    expect(open).toEqual(FOR_ALL);
  });
});
