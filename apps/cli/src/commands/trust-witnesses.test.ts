import { describe, expect, it } from '@jest/globals';
import { DEFAULT_TRUST_POLICY } from '@answer-evidence/contracts';
import { COSIGNATURE_ED25519, createVkey, ED25519, formatVkey, parseWitnessPolicy } from '@answer-evidence/note';
import { runTranscript } from '../testing/run-transcript.ts';

const ORIGIN = 'evidence.example/acme/2ae2f0de';
const LOG = formatVkey(createVkey(ORIGIN, ED25519, new Uint8Array(32).fill(1)));
const witness = (n: number) => formatVkey(createVkey(`w${n}.example`, COSIGNATURE_ED25519, new Uint8Array(32).fill(n)));
const keys = {
  origin: ORIGIN,
  items: [
    {
      ...{ vkey: LOG, first_tree_size: 0, last_tree_size: null },
      ...{ algorithm: 'ed25519', purpose: 'checkpoint', state: 'active' },
    },
  ],
  earlier: [],
};
const policy = { ...DEFAULT_TRUST_POLICY, version: 3, updated_at: null };
const works = { outcome: 'works', detail: 'it has cosigned all 9 published entries', stated_at: null };
const routesWith = (witnessPolicy: string, tested: object = works, put: object = {}) => {
  const now = { ...policy, witness_policy: witnessPolicy };
  return {
    'GET /api/trust/keys': { body: keys },
    'GET /api/trust/policy': { body: now },
    'PUT /api/trust/policy': { body: { ...now, ...put, version: 4 } },
    'POST /api/trust/witnesses/test': { body: tested },
  };
};
const join = (args: readonly string[], witnessPolicy = 'quorum none\n', tested?: object, put?: object) =>
  runTranscript(['trust', 'witnesses', 'join', ...args], routesWith(witnessPolicy, tested, put));
const asked = (n: number) => ['--vkey', witness(n), '--url', `https://w${n}.example`];

describe('trust witnesses join', () => {
  it('prints the log list entry of the log, and asks no witness that was not named', async () => {
    const { stdout, exitCode, seen } = await join(['--contact', 'ops@example.com']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`logs/v0\n\nvkey ${LOG}\nqpd 8640\ncontact ops@example.com\n`);
    expect(stdout).toContain(ORIGIN);
    expect(seen.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('has the witness cosign, and puts it into the policy when that is asked for', async () => {
    const witness_policy = `witness w5.example ${witness(5)} https://w5.example\ngroup witnesses all w5.example\nquorum witnesses\n`;
    const { stderr, exitCode, seen } = await join([...asked(5), '--apply'], undefined, undefined, { witness_policy });
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('Export the trust file'),
    });
    const [test, put] = seen.filter(({ method }) => method !== 'GET').map(({ body }) => JSON.parse(body ?? ''));
    expect(test).toEqual({ vkey: witness(5), url: 'https://w5.example', cosign: true });
    expect(put).toEqual({ ...policy, witness_policy });
  });

  it.each(
    [
      ['log not known', 'cosignature missing', 'cosignature wrong'].map((detail) => ({
        outcome: 'failed',
        detail,
        stated_at: null,
      })),
    ].flat(),
  )('changes nothing and exits with 1 for %j', async (tested) => {
    const { stderr, exitCode, seen } = await join([...asked(5), '--apply'], 'quorum none\n', tested);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(tested.detail) });
    expect(seen.map(({ method }) => method)).not.toContain('PUT');
  });

  it.each([
    [1, 'all'],
    [2, 2],
    [3, 3],
  ] as const)('asks most of the witnesses by default, beside %d that there are', async (others, threshold) => {
    const names = Array.from({ length: others }, (_, n) => `w${n}`);
    const lines = names.map((name, n) => `witness ${name} ${witness(n + 1)} https://${name}.example\n`).join('');
    const quorum = others <= 2 ? 'all' : 2;
    const text = `${lines}group witnesses ${quorum} ${names.join(' ')}\nquorum witnesses\n`;
    const { stdout } = await join([...asked(9), '--output', 'json'], text);
    const { witness_policy: changed, applied } = JSON.parse(stdout);
    expect(applied).toBe(false);
    expect(parseWitnessPolicy(changed).groups.map((group) => group.threshold)).toEqual([threshold]);
  });

  it('keeps a quorum that somebody chose', async () => {
    const text = `witness a ${witness(1)} https://a.example\nwitness b ${witness(2)} https://b.example\ngroup witnesses any a b\nquorum witnesses\n`;
    const { stdout } = await join([...asked(9), '--output', 'json'], text);
    expect(JSON.parse(stdout).witness_policy).toContain('group witnesses any a b w9.example\n');
  });

  it('leaves a policy with groups of its own to its owner', async () => {
    const text = `witness a ${witness(1)} https://a.example\ngroup g any a\ngroup h any g\nquorum h\n`;
    const { stderr, exitCode, seen } = await join([...asked(9), '--apply'], text);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('groups of its own') });
    expect(seen.map(({ method }) => method)).not.toContain('PUT');
  });

  it.each([
    [['--vkey', witness(5)], 'both --vkey and --url'],
    [['--apply'], 'both --vkey and --url'],
    [['--vkey', LOG, '--url', 'https://w.example'], 'not of a log'],
    [['--vkey', 'x', '--url', 'https://w.example'], 'three parts'],
    [[...asked(5), '--name', 'none'], 'one word'],
    [[...asked(5), '--name', 'a b'], 'one word'],
    [['--contact', 'a\nqpd 1'], 'one line'],
  ])('refuses %j before anything is asked', async (args, words) => {
    const { stderr, exitCode, seen } = await join(args);
    expect({ exitCode, seen }).toEqual({ exitCode: 2, seen: [] });
    expect(stderr).toContain(words);
  });
});

describe('trust witnesses', () => {
  it('still shows the witnesses of the policy', async () => {
    const item = { name: 'w1', vkey: witness(1), url: 'https://w1.example', tree_size: 7, failures: 0 };
    const items = [{ ...item, last_error: null, next_attempt_at: null }];
    const routes = { 'GET /api/trust/witnesses': { body: { items } } };
    expect((await runTranscript(['trust', 'witnesses'], routes)).stdout).toMatch(/w1 +7/);
  });
});
