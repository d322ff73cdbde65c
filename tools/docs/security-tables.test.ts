import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { findLinks } from './references.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PAGE = 'docs/security/attacks.md';

/** What the test of each link guarantees, by the first words of its row: where one is renamed, the row is looked at. */
const GUARANTEES: Readonly<Record<string, readonly string[]>> = {
  '1.2.4': ['is forced, owner included, on every table that has a workspace'],
  '1.2.10': ['no cell is one that a spreadsheet runs'],
  '1.3.12': ['takes time that grows no faster than the text, whatever the text'],
  '1.5.2, 1.5.3': ['stands what comes of them'],
  '3.2.1, 3.4.3': ['ran nothing, asked no other host'],
  '3.3.1 to 3.3.4': ['gives a cookie that no script reads and no other site sends'],
  '3.4.1': ['binds browsers to HTTPS'],
  '3.4.2': ['a page of another origin reads nothing'],
  '3.5.1 to 3.5.3': ['lets its pages change something with its own token only'],
  '4.2.1': ['in whole chunks is refused and the connection closed', 'is 400 with the headers of every reply'],
  '5.2.1': ['is taken up to its limits and refused beyond them, announced or not'],
  '6.2.1 to 6.2.12': ['with a pointer and without quoting it', 'under a salt of its own each time'],
  '6.3.1': ['does not keep the right one out, at a new address and at a known one'],
  '7.2.4, 7.4.1 to 7.4.3': ['ends when its member gets'],
  '8.2.1 to 8.2.3, 8.4.1': ['is tested for every route that the service describes'],
  '9.1.1 to 9.2.4': ['is refused when its header is another one, though its signature holds'],
  '10.5.1 to 10.5.5': [
    'names nobody by an ID token',
    'sends a code challenge, a state and a nonce that are new each time',
  ],
  '11.2.4': ['no secret and no MAC is compared by what tells where it differs'],
  '11.3.2': ['opens under its own key, workspace and id only'],
  '12.1.1, 12.2.1': ['speaks TLS 1.2 and 1.3, nothing older, and no HTTP in clear'],
  '13.2.4, 13.2.5': ['does not let a tenant have it call'],
  '14.2.1 to 14.2.4': ['wrote log lines, and no text, stray word or token among them'],
  '15.2.2': ['when it takes too long', 'leaves three quarters to the others, however much one owner asks for'],
  '16.5.2, 16.5.3': ['refuses for now or goes on, loses nothing, and is back by itself'],
  'Binary-Artifacts': ['have another checksum once a byte of one is another, or a file was added'],
  Fuzzing: ['stands what comes of them'],
  License: ['is the one of every manifest and of one text'],
  'Pinned-Dependencies': ['is one about which hadolint has nothing to say'],
  SAST: ['takes time that grows no faster than the text, whatever the text'],
  'Dangerous-Workflow, Token-Permissions': ['may read the sources and nothing else, unless a job says so'],
};
/** Rows of what no test can hold: a page says it, or the host of the repository does. */
const WITHOUT_TEST = [
  'Branch-Protection, Code-Review, Maintained',
  'Dependency-Update-Tool',
  'SBOM, Signed-Releases',
  'Security-Policy',
];

type Row = { readonly name: string; readonly tests: readonly string[] };

const rows = ['OWASP ASVS 5', 'OpenSSF Scorecard'].flatMap(readRows);

/** The rows of the table below that heading, each with the test files that its last cell leads to. */
function readRows(heading: string): readonly Row[] {
  const [, below = ''] = readFileSync(join(ROOT, PAGE), 'utf8').split(`\n## ${heading}\n`);
  const lines = (below.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) => {
    const [what = '', , where = ''] = line
      .split('|')
      .slice(1)
      .map((cell) => cell.trim());
    const numbers = /^\d[\d.]+(?:(?:, | to )[\d.]+)*/.exec(what)?.[0];
    const tests = findLinks(where)
      .map(({ target }) => join(dirname(PAGE), target))
      .filter((target) => target.endsWith('.test.ts'));
    return { name: numbers ?? what, tests };
  });
}

describe(`the tables of ASVS and Scorecard in ${PAGE}`, () => {
  it('lead from each row to a test, or are in the list of those that none can hold', () => {
    expect(rows.map(({ name }) => name).toSorted()).toEqual([...Object.keys(GUARANTEES), ...WITHOUT_TEST].toSorted());
    expect(
      rows
        .filter(({ tests }) => tests.length === 0)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(WITHOUT_TEST);
  });

  it.each(rows.filter(({ tests }) => tests.length > 0).map((row) => [row.name, row] as const))(
    'name tests of %s that guarantee it',
    (name, { tests }) => {
      const guarantees = GUARANTEES[name] ?? [];
      expect(guarantees.length).toBe(tests.length);
      for (const [at, file] of tests.entries())
        expect([file, readFileSync(join(ROOT, file), 'utf8').includes(guarantees[at] ?? '\0')]).toEqual([file, true]);
    },
  );
});
