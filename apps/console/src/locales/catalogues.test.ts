import { glob, readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

type Catalogue = { readonly [name: string]: string | Catalogue };

const SOURCES = fileURLToPath(new URL('../', import.meta.url));
const files = (await readdir(new URL('./', import.meta.url))).filter((name) => name.endsWith('.json'));
const catalogues = new Map(
  await Promise.all(files.map(async (file) => [file.replace('.json', ''), await readCatalogue(file)] as const)),
);
const en = catalogues.get('en');
const sources = await readSources();
/** What i18next ends a key with that has a text per plural form. */
const PLURAL = /_(?:zero|one|two|few|many|other)$/;

describe('the catalogues', () => {
  it('have the same texts in every language, with the same values in them', () => {
    expect([...catalogues.keys()]).toEqual(expect.arrayContaining(['de', 'en']));
    for (const [language, texts] of catalogues) expect([language, findFaults(language, texts)]).toEqual([language, []]);
    expect(en?.size).toBeGreaterThan(50);
  });

  it('would not be complete in a third language without a key, a plural form or a value', () => {
    const texts = new Map(
      [...(en ?? [])].flatMap(([key, text]) =>
        key.endsWith('_other')
          ? ['few', 'many', 'other'].map((form) => [key.replace(/other$/, form), text] as const)
          : [[key, text] as const],
      ),
    );
    expect(findFaults('pl', texts)).toEqual([]);
    const [plural = ''] = [...texts.keys()].filter((key) => key.endsWith('_few'));
    const [plain = ''] = [...texts.keys()].filter((key) => !/_(?:one|few|many|other)$/.test(key));
    const [valued = ''] = [...texts].filter(([, text]) => text.includes('{{')).map(([key]) => key);
    for (const key of [plural, plain]) {
      const short = new Map(texts);
      expect(short.delete(key)).toBe(true);
      expect(findFaults('pl', short)).toEqual([expect.stringContaining(`${key} is missing`)]);
    }
    expect(findFaults('pl', new Map(texts).set(valued, 'no value'))).toEqual([expect.stringContaining(valued)]);
    expect(findFaults('pl', new Map(texts).set('unknown.key', ''))).toEqual(['unknown.key is in no other catalogue']);
  });

  it('have no empty text', () => {
    const texts = [...catalogues.values()].flatMap((catalogue) => [...catalogue]);
    expect(texts.filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  it('have no text that no page shows', () => {
    const named = new Set([...sources.matchAll(/'([\w.]+)'/g)].map(([, key]) => key ?? ''));
    const begun = [...sources.matchAll(/`([\w.]+\.)\$\{/g)].map(([, start]) => start ?? '');
    const unused = [...(en?.keys() ?? [])].filter((key) => {
      const base = key.replace(PLURAL, '');
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

/** Where a catalogue differs from the English one, apart from the plural forms, which are those of its language. */
function findFaults(language: string, texts: ReadonlyMap<string, string>): readonly string[] {
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
  const valuesOf = (text = '') => (text.match(/\{\{\w+\}\}/g) ?? []).toSorted().join(' ');
  const wanted = new Map<string, string | undefined>();
  for (const [key, text] of en ?? []) {
    const base = key.replace(PLURAL, '');
    const isPlural = base !== key && en?.has(`${base}_other`) === true;
    if (!isPlural) wanted.set(key, text);
    else
      for (const form of pluralCategories)
        wanted.set(`${base}_${form}`, en?.get(`${base}_${form}`) ?? en?.get(`${base}_other`));
  }
  return [
    ...[...texts.keys()].filter((key) => !wanted.has(key)).map((key) => `${key} is in no other catalogue`),
    ...[...wanted].flatMap(([key, text]) => {
      const found = texts.get(key);
      if (found === undefined) return [`${key} is missing`];
      return valuesOf(found) === valuesOf(text) ? [] : [`${key} must have the values ${valuesOf(text)}`];
    }),
  ];
}

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
