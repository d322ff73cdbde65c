import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { type Case, readCases, readFrozenCases, runSuite, type Verdict } from '../../conformance/run.mjs';
import { draftSuite } from '../../tools/conformance/draft-suite.ts';
import { listWholeCases } from '../../tools/conformance/list-whole-cases.ts';
import { VERIFIERS } from '../../tools/conformance/verifiers.ts';
import { findFaults } from '../../tools/conformance/whole-verdicts.ts';
import { formatSuite, writeFolder } from '../../tools/conformance/write-suite.ts';
import { describeWithTools } from './python-verifier.ts';

/** Thousands of verifications, on machines of any speed. */
const TIMEOUT_MS = 600_000;
const SUITE = join(import.meta.dirname, '../../conformance/v1');
const folder = mkdtempSync(join(tmpdir(), 'conformance-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

const VERSIONS = [
  ['v1', 3_000],
  ['v2', 450],
] as const;

describeWithTools('the conformance suite', () => {
  it.each(VERIFIERS.flatMap((verifier) => VERSIONS.map((version) => [verifier.name, ...version, verifier] as const)))(
    'is passed by the verifier in %s: %s',
    async (_, version, casesMin, { command, args, env }) => {
      const { count, differences } = await runSuite(command, args, { env, suite: join(SUITE, '..', version) });
      expect(differences).toEqual([]);
      expect(count).toBeGreaterThan(casesMin);
    },
    TIMEOUT_MS,
  );
});

describe('version 2 of the conformance suite', () => {
  const frozen = [...readCases(join(SUITE, '../v2'))];
  const drawn = listWholeCases(join(import.meta.dirname, '../frozen/v1'));

  it('has every case that the generator draws, with the verdict that its rule states', () => {
    expect(frozen.map(({ id }) => id)).toEqual(drawn.map(({ id }) => id));
    const faults = frozen.flatMap((one, n) => {
      const expected = drawn[n]?.expected;
      return expected === undefined ? [] : findFaults(expected, verdictOf(one)).map((fault) => `${one.id}: ${fault}`);
    });
    expect(faults).toEqual([]);
  });

  it('has at least 200 kinds of time-stamps', () => {
    expect(frozen.filter(({ id }) => id.startsWith('time-stamp, ')).length).toBeGreaterThanOrEqual(200);
  });
});

describe('the corrections of version 1', () => {
  it('refuse what was judged, where a pin cannot be read or a list is not ended, and nothing else', () => {
    const before = [...readFrozenCases()];
    const changed = [...readCases()].filter(
      ({ expected }, n) => expected === undefined && before[n]?.expected !== undefined,
    );
    expect(changed.length).toBeGreaterThan(80);
    const files = changed.map(({ id }) => id.split(': ')[1]?.split(' ').slice(0, 2).join(' ').replaceAll(/\d+/g, 'N'));
    expect([...new Set(files)].sort()).toEqual([
      'references /references',
      'trust /anchors/N/certificate_pem',
      'trust /logs/N/keys/N/vkey',
      'trust /witness_policy',
    ]);
  });
});

function verdictOf({ expected }: Case): Verdict {
  return expected === undefined ? { refused: true } : { outcomes: expected };
}

/** What the runner says of a verifier that writes these verdicts on the cases of one receipt. */
async function replay(verdicts: readonly Verdict[]) {
  const lines = join(folder, 'verdicts');
  writeFileSync(lines, verdicts.map((verdict) => `${JSON.stringify(verdict)}\n`).join(''));
  const program = `process.stdin.resume().on('end', () => process.stdout.write(require('fs').readFileSync(${JSON.stringify(lines)})))`;
  return runSuite(process.execPath, ['-e', program], { only: 'receipt plain' });
}

describe('the runner of the conformance suite', () => {
  it('prints differences for the verifier that its README shows', () => {
    const readme = readFileSync(join(SUITE, '../README.md'), 'utf8');
    const command = /```sh\n(node run\.mjs --only .*)\n```/.exec(readme)?.[1] ?? 'exit 99';
    const { status, stdout } = spawnSync('bash', ['-c', command], { cwd: join(SUITE, '..'), encoding: 'utf8' });
    expect(stdout).toContain('merkle_inclusion');
    expect(status).toBe(1);
  });

  const cases = [...readCases()].filter(({ id }) => id.includes('receipt plain'));

  it('finds no difference in the expected verdicts', async () => {
    expect(cases.length).toBeGreaterThan(50);
    expect(await replay(cases.map(verdictOf))).toEqual({ count: cases.length, differences: [] });
  });

  it.each([0, 17, 49])('names the case and the check where one verdict is another: case %i', async (n) => {
    const verdicts = cases.map(verdictOf);
    const { id = '', expected = {} } = cases[n] ?? {};
    const [check = '', outcome] = Object.entries(expected)[n % 3] ?? [];
    const other = outcome === 'PASS' ? 'FAIL' : 'PASS';
    verdicts[n] = { outcomes: { ...expected, [check]: other } };
    expect((await replay(verdicts)).differences).toEqual([`${id}: ${check} is ${other}, and must be ${outcome}`]);
  });

  it('names a case that is refused and must be judged', async () => {
    const [first, ...rest] = cases;
    const found = await replay([{ refused: true }, ...rest.map(verdictOf)]);
    expect(found.differences).toEqual([`${first?.id}: is refused, and must be judged`]);
  });

  it('refuses a verifier that ends early, or writes something else', async () => {
    await expect(replay(cases.slice(1).map(verdictOf))).rejects.toThrow('the command ended with');
    await expect(runSuite(process.execPath, ['-p', '"hello"'], { only: 'receipt plain' })).rejects.toThrow(
      'not a verdict: hello',
    );
  });
});

describe('the files of the conformance suite', () => {
  const { seed } = JSON.parse(readFileSync(join(SUITE, 'manifest.json'), 'utf8')) as { readonly seed: string };
  const draft = draftSuite(join(import.meta.dirname, '../frozen/v1'), seed);

  it(
    'follow from the seed and the verdicts',
    () => {
      const verdicts = [...readFrozenCases()].map(verdictOf);
      const files = formatSuite(draft, verdicts);
      const differ = [...files].filter(([path, bytes]) => !readFileSync(join(SUITE, path)).equals(bytes));
      expect(differ.map(([path]) => path)).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it('are those of the manifest: another byte is refused', () => {
    const copy = join(folder, 'copy');
    const files = formatSuite({ ...draft, changes: draft.changes.slice(0, 3) }, []);
    writeFolder(copy, files);
    expect([...readCases(copy)]).toHaveLength(draft.sets.length + 3);
    writeFileSync(join(copy, 'changes.jsonl'), '\n', { flag: 'a' });
    expect(() => [...readCases(copy)]).toThrow('SHA-256');
  });
});
