import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { LATER_TEXTS, splitCatalogues } from './split-catalogues.ts';

const SOURCES = fileURLToPath(new URL('../../apps/console/src/', import.meta.url));

/** What the page gets of a catalogue, and what is loaded later. */
async function load(language: string, query: string): Promise<Record<string, unknown>> {
  const load = splitCatalogues().load as (id: string) => Promise<string | { readonly code: string }>;
  const loaded = await load(`${SOURCES}locales/${language}.json${query}`);
  return JSON.parse(typeof loaded === 'string' ? loaded : (/^export default (.*);$/.exec(loaded.code)?.[1] ?? ''));
}

it.each(['en', 'de'])('every text of the catalogue %s is in one of its two parts', async (language) => {
  const [first, later] = [await load(language, ''), await load(language, '?later')];
  expect(Object.keys(later).toSorted()).toEqual(Object.keys(LATER_TEXTS).toSorted());
  const whole = JSON.parse(await readFile(`${SOURCES}locales/${language}.json`, 'utf8'));
  expect({ ...first, ...later }).toEqual(whole);
  expect(Object.keys(first).filter((name) => name in later)).toEqual([]);
});

it('texts that are loaded later are asked for by the pages alone that wait for them', async () => {
  const early: string[] = [];
  const router = await readFile(`${SOURCES}shell/router.tsx`, 'utf8');
  for await (const file of glob('**/*.{ts,tsx}', { cwd: SOURCES })) {
    // A right may be called as a text is.
    const text = (await readFile(SOURCES + file, 'utf8')).replace(/right: '[\w.]+'/g, '');
    for (const [name, folders] of Object.entries(LATER_TEXTS))
      if (!folders.some((folder) => file.startsWith(`${folder}/`)) && new RegExp(`['\`]${name}\\.`).test(text))
        early.push(`${file}: ${name}`);
  }
  expect(early).toEqual([]);
  for (const folder of new Set(Object.values(LATER_TEXTS).flat())) {
    const waiting = [...router.matchAll(/withLaterTexts\(import\('\.\.\/([\w/-]+)\/[\w-]+\.tsx'\)\)/g)];
    expect(waiting.map(([, found]) => found)).toContain(folder);
    expect(router).not.toMatch(new RegExp(`=> import\\('\\.\\./${folder}/`));
  }
});
