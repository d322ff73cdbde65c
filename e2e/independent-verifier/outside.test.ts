import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { type CheckName, DEFAULT_SHOWN_POLICY, type ProofBundle, type TrustFile } from '@answer-evidence/contracts';
import { concatBytes, utf8 } from '@answer-evidence/encoding';
import { appendLeaves, leafHash } from '@answer-evidence/merkle';
import { parseNote } from '@answer-evidence/note';
import { verifyBundle } from '@answer-evidence/verify';
import { bundleOf, trustOf } from '../../libs/domain/verify/fixtures/bundles.ts';
import { verifySignature } from '../../libs/domain/verify/fixtures/signer.ts';
import { createWorkedLog } from '../../libs/domain/verify/fixtures/worked-log.ts';
import { createFixtureLog, createFixtureWitness } from '../../libs/domain/witness/fixtures/fixture-log.ts';
import { describeWithTools, openPythonVerifier } from './python-verifier.ts';

const folder = mkdtempSync(join(tmpdir(), 'independent-verifier-'));
const verifier = openPythonVerifier();
afterAll(async () => {
  await verifier.close();
  rmSync(folder, { recursive: true });
});

/** Outcomes by check. */
async function run(...args: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const { stdout } = await verifier.run(args);
  const lines = [...stdout.matchAll(/^(PASS|FAIL|SKIP|NA) +([a-z_]+)/gm)];
  return Object.fromEntries(lines.map(([, outcome, check]) => [check, outcome]));
}

const { ledger, correctedId } = await createWorkedLog();
const plain = bundleOf(ledger, correctedId);
const { text } = parseNote(plain.checkpoint);
const witnesses = ['one.example', 'two.example', 'three.example'].map((name, n) => ({
  name,
  ...createFixtureWitness(name, 31 + n),
}));
const lines = witnesses.map((witness) => witness.line(text, 1_795_000_000));
const [one = '', two = '', three = ''] = lines;
const names = witnesses.map(({ name }) => name).join(' ');
const defined = witnesses.map(({ name, vkey }) => `witness ${name} ${vkey} https://${name}\n`).join('');
const policyOf = (threshold: string) => `${defined}group g ${threshold} ${names}\nquorum g\n`;

function cosigned(added: readonly string[], more: Partial<ProofBundle> = {}): ProofBundle {
  const bundle: ProofBundle = { ...structuredClone(plain), ...more };
  bundle.checkpoint += added.join('');
  for (const leaf of [bundle.record, ...bundle.events]) leaf.proof += added.join('');
  return bundle;
}

const OUTSIDE: readonly CheckName[] = ['witness_cosignatures', 'external_anchor', 'anchored'];

/** What both verifiers say of what is outside; they must agree. */
async function judge(bundle: ProofBundle, pins: Partial<TrustFile>) {
  const trust = { ...trustOf(ledger), ...pins };
  writeFileSync(join(folder, 'bundle.json'), JSON.stringify(bundle));
  writeFileSync(join(folder, 'trust.json'), JSON.stringify(trust));
  const theirs = await run('bundle', join(folder, 'bundle.json'), join(folder, 'trust.json'));
  const { checks } = await verifyBundle(bundle, trust, { verifySignature });
  const ours = Object.fromEntries(checks.map(({ check, outcome }) => [check, outcome]));
  expect(OUTSIDE.map((name) => [name, ours[name]])).toEqual(OUTSIDE.map((name) => [name, theirs[name]]));
  return theirs['witness_cosignatures'];
}

describeWithTools('a verifier that shares nothing with ours', () => {
  it.each<[string, string, readonly string[], string]>([
    ['2', 'PASS', [one, three], 'two of three'],
    ['2', 'SKIP', [one, one], 'one of them twice'],
    ['all', 'SKIP', [one, two], 'two, where all are needed'],
    ['all', 'PASS', [three, two, one], 'all, in any order'],
    ['any', 'PASS', [two], 'any'],
    ['any', 'SKIP', [], 'nobody'],
    ['any', 'FAIL', [two, witnesses[0]?.line(text, 1_700_000_000) ?? ''], 'one of them of a time before the leaves'],
    ['any', 'FAIL', [one.replace(/....\n$/, 'AAA=\n')], 'a line that was altered'],
  ])('counts cosignatures as ours does: %s → %s with %p (%s)', async (threshold, outcome, added) => {
    expect(await judge(cosigned(added), { witness_policy: policyOf(threshold) })).toBe(outcome);
  });

  it('says what is demanded and not pinned, as ours does', async () => {
    const file = { id: 'local', type: 'file' } as const;
    const policy = { ...DEFAULT_SHOWN_POLICY, anchors: [file], version: 1, updated_at: null };
    expect(await judge(cosigned([], { policy }), {})).toBe('NA');
    const pinned = { anchor_id: 'local', type: 'file', required: false, certificate_pem: null } as const;
    expect(await judge(cosigned([], { policy }), { anchors: [pinned], anchors_required: 0 })).toBe('NA');
    expect(await judge(cosigned([one], { policy: { ...policy, witness_policy: policyOf('any') } }), {})).toBe('SKIP');
  });

  it.each([1, 2, 7, 255, 256, 257, 700])(
    'rebuilds the signed root of a log of %d leaves from its tiles',
    async (size) => {
      const { place, vkey } = writeLog(size);
      // Its leaves are no entries, and so in no order.
      const whole = { checkpoint_signature: 'PASS', merkle_root: 'PASS', log_order: 'FAIL', hash_tiles: 'PASS' };
      expect(await run('log', place, vkey)).toEqual(whole);
    },
  );

  it('skips what a tile that is missing could hold, and still finds what is wrong in the others', async () => {
    const whole = { checkpoint_signature: 'PASS', merkle_root: 'PASS', log_order: 'FAIL', hash_tiles: 'PASS' };
    const { place, vkey, paths } = writeLog(300);
    const [entries = '', hashes = ''] = paths;
    unlinkSync(join(place, entries));
    expect(await run('log', place, vkey)).toEqual({ ...whole, merkle_root: 'SKIP', hash_tiles: 'SKIP' });
    flip(join(place, hashes));
    expect(await run('log', place, vkey)).toMatchObject({ merkle_root: 'FAIL' });
    const other = writeLog(300);
    unlinkSync(join(other.place, 'tile/entries/001.p/44'));
    unlinkSync(join(other.place, 'tile/0/001.p/44'));
    expect(await run('log', other.place, other.vkey)).toEqual({ ...whole, merkle_root: 'SKIP', hash_tiles: 'SKIP' });
    flip(join(other.place, hashes));
    expect(await run('log', other.place, other.vkey)).toMatchObject({ merkle_root: 'SKIP', hash_tiles: 'FAIL' });
  });

  it('finds an entry, a tile of hashes or a signature that is not the log’s', async () => {
    const { place, vkey, paths } = writeLog(300);
    const [entries = '', hashes = ''] = paths;
    flip(join(place, hashes));
    expect(await run('log', place, vkey)).toMatchObject({ merkle_root: 'PASS', hash_tiles: 'FAIL' });
    flip(join(place, entries));
    expect(await run('log', place, vkey)).toMatchObject({ merkle_root: 'FAIL', hash_tiles: 'FAIL' });
    appendFileSync(join(place, 'checkpoint'), createFixtureLog('other.example/log', 2).note(1).split('\n\n')[1] ?? '');
    const other = createFixtureLog('other.example/log', 2).vkey;
    expect(await run('log', place, other)).toMatchObject({ checkpoint_signature: 'FAIL' });
  });
});

function flip(path: string): void {
  const bytes = readFileSync(path);
  bytes[10] = (bytes[10] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

/** A log's checkpoint and tiles in a folder, in the layout of C2SP's tlog-tiles. */
function writeLog(size: number) {
  const log = createFixtureLog('example.com/log', 1, 'leaf', size);
  const place = mkdtempSync(join(folder, 'log-'));
  const paths: string[] = [];
  function write(path: string, content: string | Uint8Array): void {
    mkdirSync(dirname(join(place, path)), { recursive: true });
    writeFileSync(join(place, path), content);
    paths.push(path);
  }
  const entries = Array.from({ length: size }, (_, i) => utf8(`leaf ${i}`));
  const bundled = entries.map((entry) => concatBytes(Uint8Array.of(entry.length >> 8, entry.length & 0xff), entry));
  writeTiles('entries', bundled, write);
  let hashes = entries.map(leafHash);
  for (let level = 0; hashes.length > 0; level++) {
    writeTiles(String(level), hashes, write);
    const whole = Math.floor(hashes.length / 256);
    hashes = Array.from({ length: whole }, (_, n) => appendLeaves(0, [], hashes.slice(256 * n, 256 * (n + 1))).root);
  }
  writeFileSync(join(place, 'checkpoint'), log.note(size));
  const first = (level: string) => paths.find((path) => path.startsWith(`tile/${level}/`)) ?? '';
  return { place, vkey: log.vkey, paths: [first('entries'), first('0')] };
}

function writeTiles(
  level: string,
  items: readonly Uint8Array[],
  write: (path: string, content: Uint8Array) => void,
): void {
  for (let from = 0; from < items.length; from += 256) {
    const tile = items.slice(from, from + 256);
    const suffix = tile.length === 256 ? '' : `.p/${tile.length}`;
    write(`tile/${level}/${String(from / 256).padStart(3, '0')}${suffix}`, concatBytes(...tile));
  }
}
