import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { runCli } from '../../apps/cli/src/run-cli.ts';
import { createMemoryIo } from '../../apps/cli/src/testing/memory-io.ts';
import { describeWithTools, runPythonVerifier } from '../independent-verifier/python-verifier.ts';

/** What a verification came to when the files were frozen: the exit code, and the outcome of every check. */
type Outcome = {
  readonly exit: number;
  readonly anchoring?: string;
  readonly checks?: Readonly<Record<string, string>>;
};
/** One byte of one file is another; `checks` has the outcomes that differ from those of the intact files. */
type Alteration = Outcome & {
  readonly file: string;
  readonly place: string;
  readonly offset: number;
  readonly byte: number;
};
type Case = Outcome & {
  readonly name: string;
  readonly args: readonly string[];
  readonly checks: Readonly<Record<string, string>>;
  readonly alterations: readonly Alteration[];
};

/** Hundreds of time-stamps are verified, on machines of any speed. */
const TIMEOUT_MS = 300_000;
const FROZEN = join(import.meta.dirname, 'v1');
const cases = ['expected.json', '../v1-additions/expected.json', '../v2/expected.json'].flatMap(
  (file) => JSON.parse(readFileSync(join(FROZEN, file), 'utf8')) as readonly Case[],
);

/** Checks that no file was frozen with. */
const LATER_CHECKS: ReadonlySet<string> = new Set(['log_order']);

function readFrozen(file: string, alteration?: Alteration): Uint8Array {
  const bytes = new Uint8Array(readFileSync(join(FROZEN, file)));
  if (file === alteration?.file) bytes[alteration.offset] = alteration.byte;
  return bytes;
}

/** Runs the present command line over the frozen files, without a network. */
async function verify(args: readonly string[], alteration?: Alteration): Promise<Outcome> {
  const { io, stdout } = createMemoryIo({
    fetch: () => {
      throw new Error('a verification used the network');
    },
  });
  const files: typeof io.files = {
    ...io.files,
    read: (path) => Promise.resolve(readFrozen(path, alteration)),
    readPieces: async function* (path) {
      yield await Promise.resolve(readFrozen(path, alteration));
    },
  };
  const exit = await runCli(['--output', 'json', ...args], { ...io, files });
  if (stdout() === '') return { exit };
  const { checks, anchoring } = JSON.parse(stdout());
  return {
    exit,
    ...(anchoring === undefined ? {} : { anchoring }),
    checks: Object.fromEntries(
      checks.flatMap((each: any) => (LATER_CHECKS.has(each.check) ? [] : [[each.check, each.outcome]])),
    ),
  };
}

/** Pins that cannot be read when a byte of them is changed: today the trust file is refused, which notices more. */
const REFUSED_TODAY: ReadonlySet<string> = new Set(['/logs/0/keys/0/vkey', '/witness_policy']);

function isRefusedToday({ file, exit, place }: Alteration): boolean {
  return file === 'trust/trust.json' && exit === 1 && REFUSED_TODAY.has(place);
}

/** What an altered file is expected to come to. */
function expectedOf({ checks, ...intact }: Case, { exit, ...altered }: Alteration): Outcome {
  if (altered.checks === undefined) return { exit };
  const anchoring = altered.anchoring ?? intact.anchoring;
  return underPresentRules({
    exit,
    ...(anchoring === undefined ? {} : { anchoring }),
    checks: { ...checks, ...altered.checks },
  });
}

/**
 * What an outcome recorded under version 1 of the rules is under version 2 (docs/formats/bundle.md, "Outcomes"): a log that the trust
 * file does not name is FAIL, and so is `anchored` without the signature and the inclusion.
 */
function underPresentRules({ exit, anchoring, checks = {} }: Outcome): Outcome {
  const now: Record<string, string> = { ...checks };
  if (checks['checkpoint_signature'] === 'SKIP')
    for (const name of ['checkpoint_signature', 'statement', 'receipt']) if (now[name] === 'SKIP') now[name] = 'FAIL';
  const isFounded = now['checkpoint_signature'] === 'PASS' && now['merkle_inclusion'] === 'PASS';
  if (!isFounded && ['PASS', 'SKIP'].includes(now['anchored'] ?? '')) now['anchored'] = 'FAIL';
  const demanded = ['witness_cosignatures', 'external_anchor', 'anchored'];
  const isLost = !isFounded || demanded.some((name) => now[name] === 'FAIL');
  return {
    exit: Object.values(now).includes('FAIL') ? 1 : exit,
    ...(anchoring === undefined ? {} : { anchoring: isLost ? 'NOT_ANCHORED' : anchoring }),
    checks: now,
  };
}

describe('what was issued in each version of the formats', () => {
  it.each(cases.map((each) => [each.name, each] as const))(
    '%s: every check comes to what it did',
    async (_, frozen) => {
      const { exit, anchoring, checks } = frozen;
      const recorded = { exit, ...(anchoring === undefined ? {} : { anchoring }), checks };
      expect(await verify(frozen.args)).toEqual(underPresentRules(recorded));
    },
  );

  it.each(cases.filter(({ alterations }) => alterations.length > 0).map((each) => [each.name, each] as const))(
    '%s: one altered byte is noticed by the checks that noticed it then',
    async (_, frozen) => {
      for (const alteration of frozen.alterations) {
        const { file, place } = alteration;
        const found = await verify(frozen.args, alteration);
        const expected = isRefusedToday(alteration) ? { exit: 2 } : expectedOf(frozen, alteration);
        expect({ file, place, ...found }).toEqual({ file, place, ...expected });
      }
    },
    TIMEOUT_MS,
  );
});

describeWithTools('a verifier that shares nothing with ours', () => {
  it(
    'comes to the recorded outcomes of every bundle, whole and altered',
    () => {
      const asked = cases
        .filter(({ args }) => args[0] === 'verify' && args.length === 4)
        .flatMap((frozen) => [
          { frozen, expected: underPresentRules(frozen).checks, alteration: undefined },
          ...frozen.alterations
            .filter(({ checks }) => checks !== undefined)
            .map((alteration) => ({ frozen, expected: expectedOf(frozen, alteration).checks, alteration })),
        ]);
      const lines = asked.map(({ frozen: { args }, alteration }) => {
        const read = (file = '') => new TextDecoder().decode(readFrozen(file, alteration));
        return `${JSON.stringify({ kind: 'bundle', files: { bundle: read(args[1]), trust: read(args[3]) } })}\n`;
      });
      const { stdout } = runPythonVerifier(['conformance'], lines.join(''));
      const outcomes = stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { readonly outcomes: Record<string, string> }).outcomes);
      expect(outcomes).toHaveLength(asked.length);
      asked.forEach(({ frozen: { name }, expected, alteration }, n) => {
        expect(Object.keys(outcomes[n] ?? {}).length).toBeGreaterThan(15);
        const known = Object.entries(outcomes[n] ?? {}).filter(([check]) => !LATER_CHECKS.has(check));
        expect({ name, place: alteration?.place, ...expected }).toMatchObject({ name, ...Object.fromEntries(known) });
      });
    },
    TIMEOUT_MS,
  );
});
