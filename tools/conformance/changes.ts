import type { JsonValue, TrustFile } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import { changesOf } from '../../libs/domain/verify/fixtures/alterations.ts';
import { findDifference, randomTexts, readJson } from '../../libs/domain/verify/fixtures/random-changes.ts';
import { trustChangesOf } from '../../libs/domain/verify/fixtures/trust-changes.ts';

/** A text that differs from a good one, where (a JSON pointer, or empty), and how. */
export type Changed = { readonly path: string; readonly how: string; readonly text: string };

/** `how` of a text that is not strict JSON any more, and of one that still says the same. */
export const NOT_JSON = 'not JSON';
export const SAME_VALUE = 'same value';

/** Texts of single characters changed, per file. */
const RANDOM_COUNT = 60;

/** Every change of a JSON text: of one value or member, of how it is written, and of its outermost form. */
export function listJsonChanges(text: string): readonly Changed[] {
  const whole = parseJsonText(text);
  return [...listValues(changesOf(whole)), ...listTexts(whole, text)];
}

/** The same for a trust file, and what anyone could talk its owner into. */
export function listTrustChanges(text: string): readonly Changed[] {
  const whole = parseJsonText(text);
  return [...listValues(trustChangesOf(whole as unknown as TrustFile)), ...listTexts(whole, text)];
}

/** Members that are those of another file of the kind. */
export function listTransplants(text: string, other: string): readonly Changed[] {
  const own = parseJsonText(text) as Readonly<Record<string, JsonValue>>;
  const foreign = parseJsonText(other) as Readonly<Record<string, JsonValue>>;
  return Object.entries(foreign)
    .filter(([name, value]) => name in own && JSON.stringify(own[name]) !== JSON.stringify(value))
    .map(([name, value]) => ({ path: `/${name}`, how: 'foreign', text: JSON.stringify({ ...own, [name]: value }) }));
}

/** Their texts are written when they are read: most changes are listed, and not drawn. */
function listValues(changes: Iterable<{ path: string; how: string; value: JsonValue }>): readonly Changed[] {
  return [...changes].map(({ path, how, value }) => ({
    path,
    how,
    get text() {
      return JSON.stringify(value);
    },
  }));
}

function listTexts(whole: JsonValue, text: string): readonly Changed[] {
  const texts = [...listSpellings(text), ...listForms(text), ...randomTexts(text, RANDOM_COUNT, text)];
  return texts
    .filter((changed) => changed !== text && changed.isWellFormed())
    .map((changed) => describe(whole, changed));
}

function describe(whole: JsonValue, text: string): Changed {
  const value = readJson(text);
  if (value === undefined) return { path: '', how: NOT_JSON, text };
  const path = findDifference(whole, value);
  return path === undefined ? { path: '', how: SAME_VALUE, text } : { path, how: 'rewritten', text };
}

/** Numbers written in other ways, and other numbers. */
function listSpellings(text: string): readonly string[] {
  return [...text.matchAll(/(?<=":)\d+(?=[,}])/g)].flatMap(({ 0: digits, index }) =>
    [`"${digits}"`, `${digits}.0`, `${digits}e0`, `-${digits}`, '1e400', '9007199254740993', '99999', '0.5'].map(
      (other) => text.slice(0, index) + other + text.slice(index + digits.length),
    ),
  );
}

/** Texts that are not JSON, or that parsers read in different ways. */
function listForms(text: string): readonly string[] {
  return [
    text.replace(/^\{("[a-z_]+":)/, '{$1null,$1'),
    `\ufeff${text}`,
    text.slice(0, -1),
    text.replace('{', `{"x":${'['.repeat(70)}${']'.repeat(70)},`),
    ` ${text}\n`,
    text.replace('"format"', '"f\\u006frmat"'),
    `${text}${text}`,
    '',
    'null',
  ];
}

/** Every change of one line of a text of lines, of their order and number, and of single characters. */
export function listLineChanges(path: string, text: string): readonly Changed[] {
  const lines = text.split('\n').slice(0, -1);
  const join = (changed: readonly string[]) => changed.map((line) => `${line}\n`).join('');
  const each = lines.flatMap((line, n) => [
    { how: 'line dropped', text: join(lines.toSpliced(n, 1)) },
    { how: 'line doubled', text: join(lines.toSpliced(n, 0, line)) },
    ...[0, Math.floor(line.length / 2), line.length - 1].map((at) => ({
      how: 'character',
      text: join(lines.with(n, changeCharacter(line, at))),
    })),
  ]);
  const whole = [
    { how: 'reversed', text: join(lines.toReversed()) },
    { how: 'emptied', text: '' },
    { how: 'unended', text: text.slice(0, -1) },
    { how: 'carriage returns', text: text.replaceAll('\n', '\r\n') },
    ...[...randomTexts(text, RANDOM_COUNT, text)].map((changed) => ({ how: 'character', text: changed })),
  ];
  return [...each, ...whole].filter((changed) => changed.text !== text).map((changed) => ({ path, ...changed }));
}

/** The changes of a text that is one line without an end. */
export function listTextChanges(path: string, text: string): readonly Changed[] {
  return [
    { path, how: 'emptied', text: '' },
    { path, how: 'ended', text: `${text}\n` },
    ...[...randomTexts(text, RANDOM_COUNT, text)].map((changed) => ({ path, how: 'character', text: changed })),
  ];
}

function changeCharacter(line: string, at: number): string {
  return line.slice(0, Math.max(0, at)) + (line[at] === 'a' ? 'b' : 'a') + line.slice(at + 1);
}
