import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Dialect } from './dialect.ts';
import { DIALECTS } from './order.ts';

/** What reads items, judges them, and tells of them: all code but the folder of the dialects. */
const ROOT = join(import.meta.dirname, '../../../../..');
const CODE = [
  'libs/domain/otlp-mapping/src/*.ts',
  'libs/domain/otlp-mapping/src/{item,read,rules,trace}/*.ts',
  'libs/formats/otlp/src/**/*.ts',
  'libs/stages/otlp/src/**/*.ts',
  'apps/cli/src/commands/otel*.ts',
];

/** The marks are this service's own, and described where they are read. */
const OF_OTHERS = DIALECTS.filter(({ name }) => name !== 'service.audit');

/** Repositories that a dialect is documented in, of which one or both words may name it. */
const REPOSITORY = /(?:^|[ ;,])([\w.-]+)\/([\w.-]+)/g;
/** Words of repositories that are of no framework. */
const COMMON = new Set(['agents', 'google', 'microsoft', 'open-telemetry', 'sdk-python']);
/** Shorter words stand in others. */
const WORD_LENGTH_MIN = 4;

function wordsOf({ name, source }: Dialect): readonly string[] {
  const repositories = [...(source.split(/[,;] /)[0] ?? '').matchAll(REPOSITORY)].flatMap(([, owner, repository]) => [
    owner ?? '',
    repository ?? '',
  ]);
  const named = [name.replace(/ \(older\)$/, ''), ...repositories.map((word) => word.replace(/\.ai$/, ''))];
  return named.map((word) => word.toLowerCase()).filter((word) => !COMMON.has(word));
}

/** A word wherever it begins one, however its parts are put together; a short one as a whole. */
function patternOf(word: string): RegExp {
  const parts = word.split(/[\W_]+/).filter((part) => part !== '');
  return new RegExp(`\\b${parts.join('[ ._-]?')}${word.length < WORD_LENGTH_MIN ? '\\b' : ''}`, 'i');
}

function patternsOf(dialect: Dialect): readonly RegExp[] {
  const { prefixes = [], modelWords = [], quirks = [] } = dialect;
  // Of `vercel/ai` the second word is one of anybody.
  const words = wordsOf(dialect).filter((word) => word.length >= 3);
  const scopes = quirks.flatMap((quirk) => quirk.scopes.map((scope) => scope.replace(/\*$/, '')));
  const begun = [...prefixes, ...scopes].map((text) => new RegExp(`['"\`]${text.replaceAll(/\W/g, '\\$&')}`));
  return [...words.map(patternOf), ...modelWords, ...begun];
}

const FILES = CODE.flatMap((glob) => globSync(glob, { cwd: ROOT }))
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => ({ file, lines: readFileSync(join(ROOT, file), 'utf8').split('\n') }));

/** Where something of a dialect stands. */
function findNamed(dialect: Dialect, files: typeof FILES): readonly string[] {
  const patterns = patternsOf(dialect);
  return files.flatMap(({ file, lines }) =>
    lines.flatMap((line, n) =>
      patterns.some((pattern) => pattern.test(line)) ? [`${file}:${n + 1}: ${line.trim()}`] : [],
    ),
  );
}

describe('names of dialects', () => {
  it.each(OF_OTHERS)('has nothing of $name outside of its folder', (dialect) => {
    expect(findNamed(dialect, FILES)).toEqual([]);
  });

  it.each(OF_OTHERS)('finds $name where it stands', (dialect) => {
    const line = `// As ${dialect.name.replaceAll('_', ' ').replace(/ \(older\)$/, '')} writes it.`;
    expect(findNamed(dialect, [{ file: 'read/x.ts', lines: ['', line] }])).toEqual([`read/x.ts:2: ${line}`]);
  });
});
