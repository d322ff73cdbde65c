import { describe, expect, it } from '@jest/globals';
import { sha256 } from '@answer-evidence/digest';
import { formatHex } from '@answer-evidence/encoding';
import { runCli } from '../run-cli.ts';
import { runVerifier } from '../run-verifier.ts';
import { createMemoryIo } from '../testing/memory-io.ts';
import { createSignedBundle } from '../testing/signed-bundle.ts';
import { createSignedPack } from '../testing/signed-pack.ts';

const signed = createSignedBundle();
const b = JSON.stringify(signed.bundle);
const packed = createSignedPack();
const response = { id: 'x', receipt: signed.receipt, ledger: { entry: signed.entry } };
const files = {
  '/b.json': b,
  '/altered.json': b.replace('The small one.', 'The large one.'),
  '/t.json': JSON.stringify(signed.trust),
  '/r.tlog-proof': signed.receipt,
  '/e.json': signed.entry,
  '/response.json': JSON.stringify(response),
  '/text': 'neither JSON nor a receipt',
  '/page.html': '<!doctype html><script src="a.js"></script>',
  '/damaged.json': '{"a":',
  '/run.json': '{"format":"answer-evidence-reconciliation/v1"}',
  '/pack.html': packed.page,
  '/pack-trust.json': JSON.stringify(packed.trust),
  '/entry.json': JSON.stringify(packed.entry),
  ...packed.log('/log'),
};

async function run(argv: readonly string[], more: Readonly<Record<string, string>> = {}, program = runVerifier) {
  const world = createMemoryIo({ files: { ...files, ...more } });
  const { read } = world.io.files;
  const folder = Object.assign(new Error(), { code: 'EISDIR' });
  const readOrRefuse = (path: string) =>
    path === '/log' ? Promise.reject(folder) : read(path).then((bytes) => unescape(path, bytes));
  const exitCode = await program(argv, { ...world.io, files: { ...world.io.files, read: readOrRefuse } });
  return { exitCode, stdout: world.stdout(), stderr: world.stderr() };
}

/** Tiles are bytes, which a memory world keeps as hex. */
function unescape(path: string, bytes: Uint8Array): Uint8Array {
  return path.includes('/tile/') ? new Uint8Array(Buffer.from(Buffer.from(bytes).toString(), 'hex')) : bytes;
}

const filesOf = (stdout: string) => [...stdout.matchAll(/^file +(\S.*)$/gm)].map(([, name]) => name);
const outcomesOf = async (argv: readonly string[], more = {}) => {
  const { stdout } = await run(['--output', 'json', ...argv], more);
  const value = JSON.parse(stdout);
  const all = Array.isArray(value) ? value : [value];
  const found: Record<string, Record<string, string>> = {};
  for (const { file = 'it', checks = [], fault } of all)
    found[file] = fault === undefined ? Object.fromEntries(checks.map((c: any) => [c.check, c.outcome])) : { fault };
  return found;
};

describe('several files at once', () => {
  it('are each verified, and named', async () => {
    const argv = ['verify', '/b.json', '/altered.json', '--trust', '/t.json'];
    const { exitCode, stdout } = await run(argv, {}, runCli);
    expect(exitCode).toBe(1);
    expect(filesOf(stdout)).toEqual(['/b.json', '/altered.json']);
  });

  it('are verified by the program for strangers without the name of a command', async () => {
    const named = await run(['verify', '/b.json', '--trust', '/t.json']);
    expect(named.exitCode).toBe(0);
    expect(await run(['/b.json', '--trust', '/t.json'])).toEqual(named);
    expect((await run(['/altered.json', '--trust', '/t.json'])).exitCode).toBe(1);
    expect((await run(['monitor', '--help'])).stdout).toContain('report forks');
  });

  it('may have the receipt of one record, or of several', async () => {
    expect((await outcomesOf(['/b.json', '/r.tlog-proof', '--trust', '/t.json']))['it']?.['receipt']).toBe('PASS');
    const found = await outcomesOf(['/b.json', '/altered.json', '/r.tlog-proof', '--trust', '/t.json']);
    expect(Object.values(found).map(({ receipt }) => receipt)).toEqual(['PASS', 'PASS']);
  });
});

describe('a file alone', () => {
  const whole = { leaf_entry: 'PASS', merkle_inclusion: 'PASS', checkpoint_signature: 'PASS' };

  it('may be a receipt, which says what is missing', async () => {
    const { exitCode, stdout } = await run(['/r.tlog-proof', '--trust', '/t.json']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^PASS {2}checkpoint_signature$/m);
    expect(stdout).toMatch(/^SKIP {2}leaf_entry\n {6}a receipt is of an entry: give the file of the entry/m);
    expect(await outcomesOf(['/r.tlog-proof', '/e.json', '--trust', '/t.json'])).toEqual({ it: whole });
    expect(await outcomesOf(['/response.json', '--trust', '/t.json'])).toEqual({ it: whole });
    expect(await outcomesOf(['/r.tlog-proof', '/e.json'])).toEqual({ it: { ...whole, checkpoint_signature: 'SKIP' } });
    const other = { '/e.json': signed.entry.replace('"seq":0', '"seq":1') };
    expect((await run(['/r.tlog-proof', '/e.json', '--trust', '/t.json'], other)).exitCode).toBe(1);
  });

  it('may be a bundle without a trust file: nobody’s signature is verified, and that is said', async () => {
    const { exitCode, stdout, stderr } = await run(['/b.json']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining('No trust file was given') });
    expect(stdout).toMatch(/^PASS {2}answer_commitment$/m);
    expect(stdout).toMatch(/^SKIP {2}checkpoint_signature\n {6}who signed this was not verified: give a trust file/m);
    expect((await run(['/b.json', '--strict'])).exitCode).toBe(1);
    expect((await run(['/altered.json'])).exitCode).toBe(1);
  });

  it('may be a log, whose every leaf is read', async () => {
    const sound = { checkpoint_signature: 'PASS', merkle_root: 'PASS', log_order: 'PASS', hash_tiles: 'PASS' };
    expect(await outcomesOf(['/log', '--trust', '/pack-trust.json'])).toEqual({ it: sound });
    expect(await outcomesOf(['/log'])).toEqual({ it: { ...sound, checkpoint_signature: 'SKIP' } });
    const { exitCode, stdout } = await run(['/log', '--trust', '/t.json']);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^FAIL {2}checkpoint_signature$/m);
    const tile = '/log/tile/entries/000.p/4';
    const changed = { [tile]: files[tile as keyof typeof files]?.replace(/00$/, '01').replace(/7d$/, '7c') ?? '' };
    expect((await run(['/log', '--trust', '/pack-trust.json'], changed)).exitCode).toBe(1);
    expect(await run(['/log'], { '/log/checkpoint': 'no note' })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('FAIL  /log is not a log: its checkpoint cannot be read'),
    });
  });

  it('may be the proof of a reconciliation, damaged as well', async () => {
    const { exitCode, stdout } = await run(['/run.json', '--trust', '/t.json']);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^FAIL {2}references$/m);
  });

  it.each([
    ['/text', 'is not evidence: it is neither a proof bundle, an evidence pack'],
    ['/page.html', 'is not evidence: it is a page without the parts of an evidence pack'],
    ['/damaged.json', 'is not evidence: it is damaged JSON that does not say what it is'],
    ['/e.json', 'is an entry of a log, of which nothing shows that a log has it'],
  ])('%s fails with a sentence', async (file, words) => {
    const { exitCode, stdout, stderr } = await run([file, '--trust', '/t.json']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain(`FAIL  ${file} ${words}`);
  });
});

describe('a pack', () => {
  const argv = ['/pack.html', '--trust', '/pack-trust.json'];
  const change = (of: (page: string) => string) => ({ '/pack.html': of(packed.page) });

  it('is verified as a whole, and each of its bundles', async () => {
    const { exitCode, stdout } = await run(argv);
    expect(exitCode).toBe(0);
    expect(filesOf(stdout)).toEqual(['/pack.html', '/pack.html bundle-1', '/pack.html bundle-2']);
    expect(stdout).toMatch(/^made at {2}\S+Z, the maker's word$/m);
    expect((await outcomesOf(argv))['/pack.html']).toEqual({
      pack_parts: 'PASS',
      pack_made_at: 'SKIP',
      pack_content: 'SKIP',
    });
  });

  it('is compared with its entry export_made, and with the log', async () => {
    const all = { pack_parts: 'PASS', pack_made_at: 'PASS', pack_content: 'PASS' };
    expect((await outcomesOf([...argv, '/entry.json']))['/pack.html']).toEqual(all);
    expect((await outcomesOf([...argv, '/log', '/entry.json']))['/pack.html']).toEqual(all);
    expect((await outcomesOf([...argv, '/log']))['/pack.html']).toEqual({ ...all, pack_content: 'SKIP' });
    expect((await outcomesOf(['/pack.html', '/entry.json']))['/pack.html']).toEqual({ ...all, pack_content: 'SKIP' });
  });

  it('fails with another time than its entry has, or the log', async () => {
    const past = change((page) => page.replace(/"made_at":"2025/, '"made_at":"2019'));
    const late = { pack_parts: 'PASS', pack_made_at: 'FAIL', pack_content: 'FAIL' };
    expect((await outcomesOf([...argv, '/entry.json'], past))['/pack.html']).toEqual(late);
    expect((await outcomesOf([...argv, '/log'], past))['/pack.html']).toEqual({ ...late, pack_content: 'SKIP' });
    const later = change((page) => page.replace(/"made_at":"2025/, '"made_at":"2035'));
    expect((await outcomesOf([...argv, '/log'], later))['/pack.html']?.['pack_made_at']).toBe('SKIP');
  });

  it('fails with one byte more than its entry is of', async () => {
    const grown = change((page) => `${page} `);
    expect((await outcomesOf([...argv, '/entry.json'], grown))['/pack.html']).toEqual({
      pack_parts: 'PASS',
      pack_made_at: 'PASS',
      pack_content: 'FAIL',
    });
  });

  it('fails with an entry of another core, or that is not in the log of its receipt', async () => {
    for (const [from, to] of [
      ['"records":2', '"records":3'],
      ['index 3', 'index 2'],
    ] as const) {
      const other = { '/entry.json': files['/entry.json'].replace(from, to) };
      const { exitCode } = await run([...argv, '/entry.json'], other);
      expect(exitCode).toBe(1);
      expect((await outcomesOf([...argv, '/entry.json'], other))['/pack.html']?.['pack_content']).toBe('FAIL');
    }
  });

  it('fails for a bundle that is missing or oddly named, and hides no other record', async () => {
    for (const [page, name] of [
      [change((text) => text.replace(/<script[^>]*id="bundle-2">.*?<\/script>/s, '')), 'bundle-2'],
      [change((text) => text.replaceAll('bundle-2', 'bundle-x')), 'place 2'],
      [change((text) => text.replace('id="bundle-2">', 'id="bundle-2">no bundle')), 'bundle-2'],
    ] as const) {
      const { exitCode, stdout, stderr } = await run(argv, page);
      expect(exitCode).toBe(1);
      expect(filesOf(stdout)).toEqual(['/pack.html', '/pack.html bundle-1']);
      expect(stdout).toMatch(/^PASS {2}merkle_inclusion$/m);
      expect(stderr).toMatch(new RegExp(`^FAIL {2}/pack.html ${name} is not a proof bundle: `, 'm'));
      const found = await outcomesOf(argv, page);
      expect(found[`/pack.html ${name}`]).toEqual({ fault: expect.any(String) });
    }
  });
});

it('a monitor without a registry takes a name for that of a folder', async () => {
  const argv = ['monitor', 'log', '--state', '/state.json', '--trust', '/pack-trust.json', '--once'];
  const { exitCode, stdout } = await run(argv, packed.log('log'));
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout: expect.stringMatching(/ ok {2}log\.example\S+: 4 leaves\n$/),
  });
});

it('hashes as the pack says', () => {
  expect(packed.entry.core.content_hash).toBe(`sha256:${formatHex(sha256(packed.page))}`);
});
