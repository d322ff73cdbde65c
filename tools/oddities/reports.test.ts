import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { readReports, testsOf } from './read-reports.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const reports = await readReports();

describe('the log of public reports', () => {
  it('names tests that are there, or says what is left of a fault', () => {
    for (const { tests, open } of reports) expect(tests.length > 0 || open !== undefined).toBe(true);
    const named = reports.flatMap(({ tests }) => tests);
    expect(named.filter((file) => !existsSync(ROOT + file))).toEqual([]);
    expect(testsOf(reports).filter((file) => !existsSync(ROOT + file))).toEqual([]);
  });

  it('has each source and each kind once', () => {
    const said = reports.flatMap(({ sources, kind }) => [...sources, kind]);
    expect(said.filter((one, at) => said.indexOf(one) !== at)).toEqual([]);
  });
});
