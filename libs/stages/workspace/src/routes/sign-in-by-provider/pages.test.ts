import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { leadOnPage, refusalPage } from './pages.ts';

const FOLDER = new URL('texts/', import.meta.url);
const files = await readdir(FOLDER);

describe('the pages of a sign-in by a provider', () => {
  it.each(files)('are served in the language of %s, with every text of the others', async (file) => {
    const language = file.replace('.json', '');
    const read = async (name: string) => JSON.parse(await readFile(new URL(name, FOLDER), 'utf8')) as object;
    const texts = (await read(file)) as Readonly<Record<string, string>>;
    expect(Object.keys(texts).toSorted()).toEqual(Object.keys(await read('en.json')).toSorted());
    expect(refusalPage('attempt', `${language}-CH, en;q=0.5`)).toContain(`<html lang="${language}">`);
    expect(refusalPage('attempt', language)).toContain(texts['attempt']);
    expect(leadOnPage('/console/', language)).toContain(texts['done']);
  });

  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['xx', 'en'],
    ['xx, DE;q=0.8, en;q=0.5', 'de'],
    ['den', 'en'],
  ])('for the accepted languages %j are in %s', (accepted, language) => {
    expect(refusalPage('name', accepted)).toContain(`<html lang="${language}">`);
  });
});
