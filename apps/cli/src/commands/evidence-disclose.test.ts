import { describe, expect, it } from '@jest/globals';
import { hashSegmentText } from '@answer-evidence/commitments';
import { runCli } from '../run-cli.ts';
import { createMemoryIo } from '../testing/memory-io.ts';
import { ID } from '../testing/samples.ts';
import { createSignedBundle } from '../testing/signed-bundle.ts';

const SALT = '0b'.repeat(16);
const ids = [1, 2, 3].map((n) => `${ID.slice(0, -1)}${n}`);
const [first = '', second = '', third = ''] = ids;
const LEDGER = { origin: 'log.example/demo/00000000', leaf_index: 7, leaf_hash: 'b'.repeat(64), entry: '{}' };

const signed = createSignedBundle();
const { leaf_index, entry, leaf_hash, proof } = signed.bundle.record;
const shown = (segment_id: string, index: number, text: string) => ({
  index,
  segment_id,
  hash: hashSegmentText(SALT, text),
  proof: [],
  disclosed: null,
});
const bundle = {
  ...signed.bundle,
  evidence: {
    accesses: [],
    assets: [
      {
        registered: { leaf_index, entry, leaf_hash, proof, core: {} },
        segments: [shown(first, 0, 'Two years.'), shown(second, 1, 'Free\u2028returns.')],
        erasures: [],
      },
    ],
  },
};
const retrieved = (texts: Readonly<Record<string, string>>, salt = SALT) => ({
  source_ref: {},
  access_event_id: ID,
  segments: [
    ...Object.entries(texts).map(([segment_id, text], index) => ({ segment_id, index, hash: 'h', salt, text })),
    { segment_id: third, index: 9, hash: 'h', tombstone: { event_id: ID, reason_code: null, redacted_at: 'now' } },
  ],
  ledger: LEDGER,
});
const files = {
  '/b.json': JSON.stringify(bundle),
  '/bare.json': JSON.stringify(signed.bundle),
  '/both.json': JSON.stringify(retrieved({ [first]: 'Two years.', [second]: 'Free\u2028returns.' })),
  '/altered.json': JSON.stringify(retrieved({ [first]: 'Three years.' })),
  '/salt.json': JSON.stringify(retrieved({ [first]: 'Two years.' }, 'zz')),
  '/others.json': JSON.stringify(retrieved({ [third]: 'Call us.' })),
  '/text': 'no JSON',
};

async function disclose(...argv: readonly string[]) {
  const world = createMemoryIo({
    files,
    fetch: () => {
      throw new Error('an offline command used the network');
    },
  });
  const exitCode = await runCli(['evidence', 'disclose', ...argv], world.io);
  return { exitCode, stdout: world.stdout(), stderr: world.stderr(), files: world.files };
}

describe('evidence disclose', () => {
  it('puts each text with its salt where the bundle commits to it, and changes nothing else', async () => {
    const {
      exitCode,
      stdout,
      stderr,
      files: written,
    } = await disclose('/b.json', '/both.json', '--out', '/shown.json');
    expect([exitCode, stdout, stderr]).toEqual([0, '', expect.stringContaining('2 texts')]);
    const made = JSON.parse(written.get('/shown.json') ?? '') as typeof bundle;
    const disclosed = made.evidence.assets[0]?.segments.map((segment) => segment.disclosed);
    expect(disclosed).toEqual([
      { salt: SALT, text: 'Two years.' },
      { salt: SALT, text: 'Free\u2028returns.' },
    ]);
    for (const segment of made.evidence.assets[0]?.segments ?? []) segment.disclosed = null;
    expect(made).toEqual(bundle);
  });

  it('writes to standard output otherwise', async () => {
    const { exitCode, stdout } = await disclose('/b.json', '/both.json');
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([0, { format: bundle.format, evidence: {} }]);
  });

  it.each([
    ['another text', '/b.json', '/altered.json', /does not match its commitment in the bundle/],
    ['a salt that is not one', '/b.json', '/salt.json', /does not match its commitment in the bundle/],
    ['texts of other segments', '/b.json', '/others.json', /none of these texts/],
    ['a bundle without evidence', '/bare.json', '/both.json', /none of these texts/],
    ['what is no bundle', '/both.json', '/both.json', /both\.json: not a proof bundle/],
    ['what is no retrieval', '/b.json', '/b.json', /b\.json: not the output of "evidence retrieve --out"/],
    ['what is no JSON', '/b.json', '/text', /\/text/],
    ['standard input twice', '-', '-', /only one/],
  ])('refuses %s, shows no text and writes nothing', async (_, bundlePath, retrievedPath, reason) => {
    const {
      exitCode,
      stdout,
      stderr,
      files: written,
    } = await disclose(bundlePath, retrievedPath, '--out', '/out.json');
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(reason);
    expect(stderr).not.toContain('years');
    expect(written.has('/out.json')).toBe(false);
  });
});
