import { glob, readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { LANGUAGES } from './open-catalogue.ts';

type Catalogue = { readonly [name: string]: string | Catalogue };

const SOURCES = fileURLToPath(new URL('../', import.meta.url));
const files = (await readdir(new URL('./', import.meta.url))).filter((name) => name.endsWith('.json'));
const catalogues = new Map(
  await Promise.all(files.map(async (file) => [file.replace('.json', ''), await readCatalogue(file)] as const)),
);
const en = catalogues.get('en');
const sources = await readSources();

describe('the catalogues', () => {
  it('have the same texts in every language, with the same values in them', () => {
    const valuesOf = (texts: ReadonlyMap<string, string> | undefined) =>
      [...(texts ?? [])].map(([key, text]) => `${key} ${(text.match(/\{\{\w+\}\}/g) ?? []).toSorted().join(' ')}`);
    expect([...catalogues.keys()]).toEqual(expect.arrayContaining([...LANGUAGES]));
    for (const [language, texts] of catalogues) expect([language, valuesOf(texts)]).toEqual([language, valuesOf(en)]);
    expect(en?.size).toBeGreaterThan(50);
  });

  it('have no empty text', () => {
    const texts = [...catalogues.values()].flatMap((catalogue) => [...catalogue]);
    expect(texts.filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  it('have no text that no page shows', () => {
    const named = new Set([...sources.matchAll(/'([\w.]+)'/g)].map(([, key]) => key ?? ''));
    const begun = [...sources.matchAll(/`([\w.]+\.)\$\{/g)].map(([, start]) => start ?? '');
    const unused = [...(en?.keys() ?? [])].filter((key) => {
      const base = key.replace(/_(?:one|other)$/, '');
      return !named.has(key) && !named.has(base) && !begun.some((start) => key.startsWith(start));
    });
    expect(unused).toEqual([]);
  });

  it('have every text that a page asks for', () => {
    const asked = [...sources.matchAll(/\bt\(\s*'([\w.]+)'/g)].map(([, key]) => key ?? '');
    const missing = asked.filter((key) => en?.has(key) !== true && en?.has(`${key}_other`) !== true);
    expect(asked.length).toBeGreaterThan(50);
    expect(missing).toEqual([]);
  });
});

async function readCatalogue(file: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(new URL(`./${file}`, import.meta.url), 'utf8');
  return new Map(flatten(JSON.parse(text) as Catalogue));
}

function flatten(catalogue: Catalogue, before = ''): readonly (readonly [string, string])[] {
  return Object.entries(catalogue).flatMap(([name, value]) =>
    typeof value === 'string' ? [[before + name, value] as const] : flatten(value, `${before}${name}.`),
  );
}

async function readSources(): Promise<string> {
  const texts: string[] = [];
  for await (const file of glob('**/*.{ts,tsx}', { cwd: SOURCES }))
    if (!file.endsWith('.test.ts')) texts.push(await readFile(SOURCES + file, 'utf8'));
  return texts.join('\n');
}
