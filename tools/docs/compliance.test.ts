import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { DEFAULT_SETTINGS } from '@answer-evidence/contracts';
import { formatAnchor, headingsOf } from './references.ts';

const FOLDER = join(import.meta.dirname, '../../docs/compliance');
const pages = readdirSync(FOLDER)
  .sort()
  .map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }));
const paths = Object.keys(
  JSON.parse(readFileSync(join(import.meta.dirname, '../api/published/openapi.json'), 'utf8')).paths,
);

/** The rows of a page's tables that say of a duty what the service gives, by the cells of the row. */
function rowsOf(text: string): { readonly duty: string; readonly gives: string }[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('| ') && line.split(' | ').length === 4)
    .map((line) => line.slice(2).split(' | '))
    .map(([duty = '', gives = '']) => ({ duty: duty.trim(), gives: gives.trim() }))
    .filter(({ gives }) => gives !== 'what the service gives' && !/^-+$/.test(gives));
}

/** Names of settings, `answer_audit_…`, as they stand or with a value. */
const settingsIn = (text: string) =>
  [...text.matchAll(/`(answer_audit_\w+)(?:=[^`]*)?`/g)].map(([, name = '']) => name);
const operationsIn = (text: string) =>
  [...text.matchAll(/`(?:GET|POST|PATCH|DELETE) (\/\S+)`/g)].map(([, path]) => path);
const linksIn = (text: string) => [...text.matchAll(/\]\((?!https:)([^)]+)\)/g)].map(([, target = '']) => target);

describe('the pages about laws and standards', () => {
  it('say of every duty, but one that only people can carry out, by what named and described thing it is helped', () => {
    const rows = pages.flatMap(({ text }) => rowsOf(text));
    expect(rows.length).toBeGreaterThan(40);
    const unnamed = rows.filter(({ gives }) =>
      [settingsIn, operationsIn, linksIn].every((find) => find(gives).length === 0),
    );
    expect(unnamed.map(({ duty }) => duty)).toEqual([
      '12(3): remote biometric identification: period of use, database, matches, people who verified them',
      '(f)(3)(v): an officer or a third party undertakes to give access',
      'A.9.4: use as intended',
    ]);
  });

  it('name settings and operations that exist', () => {
    const all = pages.map(({ text }) => text).join('\n');
    expect(new Set(settingsIn(all)).size).toBeGreaterThan(5);
    expect(settingsIn(all).filter((name) => !(name in DEFAULT_SETTINGS))).toEqual([]);
    expect(operationsIn(all).filter((path) => !paths.includes(path ?? ''))).toEqual([]);
  });

  it('lead to headings that are there', () => {
    for (const { name, text } of pages)
      for (const target of linksIn(text)) {
        const [file = '', anchor] = target.split('#');
        const page = readFileSync(join(FOLDER, file === '' ? name : file), 'utf8');
        if (anchor !== undefined)
          expect([target, headingsOf(page).map(formatAnchor)]).toEqual([target, expect.arrayContaining([anchor])]);
      }
  });

  it('claim of nothing that it complies', () => {
    for (const { name, text } of pages)
      expect([name, text.match(/\b(?:is|are|makes you|fully) (?:compliant|certified)\b/i)]).toEqual([name, null]);
  });
});
