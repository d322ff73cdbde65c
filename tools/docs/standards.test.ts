import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const FOLDER = join(import.meta.dirname, '../../docs/security');
const [, asvs = '', scorecard = ''] = readFileSync(join(FOLDER, 'attacks.md'), 'utf8').split(
  /## (?:OWASP ASVS 5|OpenSSF Scorecard)\n/,
);

/** What holds each row: in each file that it links, the name of a test that does so. */
const TESTS: Readonly<Record<string, readonly string[]>> = {
  '1.2.4': ['refuses to write a row into another workspace'],
  '1.2.10': ['no cell is one that a spreadsheet runs'],
  '1.3.12': ['takes time that grows no faster than the text'],
  '1.5.2,': ['stands every input that is kept'],
  '3.2.1,': ['ran nothing, asked no other host'],
  '3.3.1': ['gives a cookie that no script reads and no other site sends'],
  '3.4.1': ['binds browsers to HTTPS'],
  '3.4.2': ['a page of another origin reads nothing'],
  '3.5.1': ['lets its pages change something with its own token only'],
  '4.2.1': ['a length and chunks', 'with two Hosts'],
  '5.2.1': ['is taken up to its limits and refused beyond them'],
  '6.2.1': ["'too short'", 'knows a password again and no other'],
  '6.3.1': ['does not keep the right one out'],
  '7.2.4,': ['everywhere ends every session of the member'],
  '8.2.1': ['from everything by its id'],
  '9.1.1': ['is refused unsigned, and under a MAC whose secret is the public key'],
  '10.5.1': ['names nobody by an ID token', 'sends a code challenge, a state and a nonce that are new each time'],
  '11.2.4': ['no secret and no MAC is compared by what tells where it differs'],
  '11.3.2': ['with one flipped bit yields the frames before it'],
  '12.1.1,': ['speaks TLS 1.2 and 1.3, nothing older, and no HTTP in clear'],
  '13.2.4,': ['does not let a tenant have it call'],
  '14.2.1': ['wrote log lines, and no text, stray word or token among them'],
  '15.2.2': ["is given up, paid for, and in nobody's way", 'nor more than a quarter to one of them'],
  '16.5.2,': ['refuses for now or goes on, loses nothing, and is back by itself'],
  'Binary-Artifacts': ['are those of the committed checksums'],
  Fuzzing: ['stands every input that is kept'],
  License: ['is the one of every manifest and of one text'],
  'Pinned-Dependencies': ['is one about which hadolint has nothing to say'],
  SAST: ['takes time that grows no faster than the text'],
  'Dangerous-Workflow,': ['may read the sources and nothing else, unless a job says so'],
};

/** Rows of the page that link tests: the first word of each, and the files. */
const rows = `${asvs}\n${scorecard}`
  .split('\n')
  .filter((line) => line.startsWith('|') && line.includes('.test.ts)'))
  .map((line) => ({
    name: line.split(' ')[1] ?? '',
    files: [...line.matchAll(/\((\S+\.test\.ts)\)/g)].map(([, file = '']) => file),
  }));

describe('each line of a standard', () => {
  it('that names tests is held by a test of each of these files', () => {
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(TESTS));
    for (const { name, files } of rows) {
      const names = TESTS[name] ?? [];
      expect([name, files.length]).toEqual([name, names.length]);
      for (const [n, file] of files.entries())
        expect([name, file, readFileSync(join(FOLDER, file), 'utf8').includes(names[n] ?? '\0')]).toEqual([
          name,
          file,
          true,
        ]);
    }
  });
});
