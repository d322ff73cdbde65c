import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readCases } from '../../conformance/run.mjs';

const ROOT = join(import.meta.dirname, '../..');
const README = readFileSync(join(ROOT, 'conformance/README.md'), 'utf8');
const CHECKS = readFileSync(join(ROOT, 'docs/formats/checks.md'), 'utf8');
const OUTCOMES = ['PASS', 'FAIL', 'SKIP', 'NA'] as const;
type Kind = 'bundle' | 'run' | 'receipt';
const KINDS: readonly Kind[] = ['bundle', 'run', 'receipt'];

/** What only the service can check, or what needs other files: these cases are of the kind `files`, tested below. */
const NOT_IN_SUITE = ['bundle checkpoint_consistency', 'bundle reconciliation'];

// What a case is given is made when it is asked for: once is enough.
const cases = ['v1', 'v2'].flatMap((version) =>
  [...readCases(join(ROOT, 'conformance', version))].map(({ id, given: { kind }, expected }) => ({
    id,
    kind,
    expected,
  })),
);

/** The cells of the rows of the tables in a text. */
function rowsOf(text: string): readonly (readonly string[])[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** The rows of the page of checks that are about a kind of case: from its mark up to the next kind. */
function pageRows(kind: Kind): readonly (readonly string[])[] {
  const [, part = ''] = CHECKS.split(`<!-- table: checks ${kind} -->`);
  return rowsOf(part.split('\n## ')[0] ?? '').filter((cells) => cells.length === 5);
}

function countOf(kind: Kind, check: string, outcome: string): number {
  return cases.filter((one) => one.kind === kind && one.expected?.[check] === outcome).length;
}

describe('the page of the checks', () => {
  it.each(KINDS)('has a row for each check of the suite, and says of each outcome whether there is one: %s', (kind) => {
    const rows = pageRows(kind);
    const known = new Set(cases.flatMap((one) => (one.kind === kind ? Object.keys(one.expected ?? {}) : [])));
    const names = rows.map(([name = '']) => name.replaceAll('`', ''));
    expect([...known].filter((name) => !names.includes(name))).toEqual([]);
    const wrong = rows.flatMap(([name = '', , fail = '', skip = '', na = '']) => {
      const check = name.replaceAll('`', '');
      const cells = { PASS: '', FAIL: fail, SKIP: skip, NA: na };
      return OUTCOMES.filter((outcome) => {
        const id = `${kind} ${check}`;
        if (NOT_IN_SUITE.includes(id) || NOT_IN_SUITE.includes(`${id} ${outcome}`)) return false;
        return (cells[outcome] === 'never') !== (countOf(kind, check, outcome) === 0);
      }).map((outcome) => `${kind} ${check} ${outcome}`);
    });
    expect(wrong).toEqual([]);
  });
});

describe('cases of several files', () => {
  const outcomesOf = (name: string) =>
    new Set(
      cases.flatMap(({ kind, expected = {} }) =>
        (kind as string) === 'files'
          ? Object.entries(expected).flatMap(([check, outcome]) => (check.endsWith(` ${name}`) ? [outcome] : []))
          : [],
      ),
    );

  it.each([
    ['pack_parts', ['FAIL', 'PASS']],
    ['pack_made_at', ['FAIL', 'PASS', 'SKIP']],
    ['pack_content', ['FAIL', 'PASS', 'SKIP']],
    ['readable', ['FAIL']],
    ['checkpoint_consistency', ['FAIL', 'NA', 'PASS', 'SKIP']],
    ['log_order', ['FAIL', 'PASS', 'SKIP']],
  ])('have every outcome of %s', (name, outcomes) => {
    expect([...outcomesOf(name)].sort()).toEqual(outcomes);
  });

  it('have windows without a lower end, by anchors, by witnesses, and by the order alone', () => {
    const ends = [...outcomesOf('after')].map((end) => end.replace(/^\S+Z/, 'T'));
    expect([...new Set(ends)].sort()).toEqual([
      'T',
      'T, anchor tsa',
      'T, witness a, witness b',
      'T, witness a, witness b, witness c',
      'none',
    ]);
  });
});

describe('the README of the suite', () => {
  const [, part = ''] = README.split('<!-- table: cases by check -->');

  it('says how many cases have each outcome of each check', () => {
    const stated = rowsOf(part.split('\n### ')[0] ?? '');
    const counted = KINDS.flatMap((kind) =>
      pageRows(kind).map(([name = '']) => {
        const check = name.replaceAll('`', '');
        return ['`' + check + '`', kind, ...OUTCOMES.map((outcome) => String(countOf(kind, check, outcome)))];
      }),
    ).filter((row) => row.slice(2).some((count) => count !== '0'));
    expect(stated).toEqual(counted);
  });

  it('names cases for each section of the pages that a verifier must know', () => {
    const [, table = ''] = README.split('<!-- table: cases by section -->');
    const rows = table
      .split('\n')
      .filter((line) => line.startsWith('| ['))
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );
    const missing = rows.flatMap(([section = '', names = '']) => {
      const [, page = '', anchor = ''] = /\((\S+?)#(\S+)\)$/.exec(section) ?? [];
      const headings = readFileSync(join(ROOT, 'conformance', page), 'utf8').match(/^#+ .*$/gm) ?? [];
      const slugs = headings.map((heading) => slugOf(heading.replace(/^#+ /, '')));
      const patterns = [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
      return [
        ...(slugs.includes(anchor) ? [] : [`${section}: no such section`]),
        ...patterns.filter((name) => !cases.some(({ id }) => id.startsWith(name))).map((name) => `${section}: ${name}`),
        ...(patterns.length === 0 ? [`${section}: no cases`] : []),
      ];
    });
    expect(missing).toEqual([]);
    const covered = new Set(rows.map(([section = '']) => /\((\S+)\)$/.exec(section)?.[1]));
    expect(SECTIONS.filter((section) => !covered.has(`../docs/formats/${section}`))).toEqual([]);
  });
});

/** The sections with rules for a verifier. */
const SECTIONS = [
  'README.md#conventions',
  'README.md#limits',
  'records.md#commitments',
  'records.md#items',
  'records.md#segments-of-evidence',
  'records.md#cores',
  'records.md#lifecycle_event',
  'records.md#text_expired',
  'records.md#trace_attached',
  'records.md#entries-about-evidence',
  'log.md#entries-and-leaves',
  'log.md#the-order-of-the-leaves',
  'log.md#the-merkle-tree',
  'log.md#signed-notes',
  'log.md#checkpoints',
  'log.md#the-keys-of-a-log',
  'log.md#receipts',
  'log.md#entries-of-the-workspace',
  'log.md#the-log-as-tiles',
  'bundle.md#the-bundle',
  'bundle.md#a-bundle-without-texts',
  'bundle.md#what-counts-as-gone',
  'bundle.md#texts-and-items',
  'bundle.md#record-and-events',
  'bundle.md#log-and-signatures',
  'bundle.md#evidence',
  'bundle.md#outside-parties',
  'reconciliation.md#the-core-of-a-run',
  'reconciliation.md#the-three-sets',
  'reconciliation.md#the-decision',
  'reconciliation.md#findings',
  'reconciliation.md#counts',
  'reconciliation.md#the-note',
  'reconciliation.md#the-proof',
  'reconciliation.md#verifying-a-run',
  'trust.md#trust-files',
  'trust.md#cosignatures',
  'trust.md#witness-policies',
  'trust.md#rfc3161',
  'trust.md#object-lock',
  'trust.md#file',
  'trust.md#times-of-outside-parties',
  'checks.md#several-files',
  'checks.md#a-checkpoint',
  'pack.md#reading-a-pack',
  'pack.md#the-checks-of-a-pack',
] as const;

function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll('`', '')
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}
