import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { utf8 } from '@answer-evidence/encoding';
import { appendLeaves, leafHash } from '@answer-evidence/merkle';
import { createVkey, ED25519, formatVkey, signTree, type TreeKey } from '@answer-evidence/note';
import { runTranscript } from '../testing/run-transcript.ts';

const ORIGIN = 'log.example/demo';
const ENTRY = '{"at":"2026-11-20T09:00:00.000000Z"}';

function createKey(): TreeKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const spki = publicKey.export({ format: 'der', type: 'spki' });
  const vkey = formatVkey(createVkey(ORIGIN, ED25519, new Uint8Array(spki.subarray(-32))));
  return { vkey, sign: (message) => new Uint8Array(sign(null, Buffer.from(message), privateKey)) };
}

const KEY = createKey();

/** A log of as many leaves, all of one entry, as files below a folder. */
function createLog(size: number, folder: string, key = KEY): Readonly<Record<string, string>> {
  const leaves = Array.from({ length: size }, () => leafHash(utf8(ENTRY)));
  const { root } = appendLeaves(0, [], leaves);
  return {
    [`${folder}/checkpoint`]: signTree({ origin: ORIGIN, size, root }, [key]),
    [`${folder}/tile/entries/000.p/${size}`]: `\u0000${String.fromCharCode(ENTRY.length)}${ENTRY}`.repeat(size),
  };
}

const trustOf = ({ vkey }: TreeKey) =>
  JSON.stringify({
    format: 'answer-evidence-trust/v1',
    logs: [{ origin: ORIGIN, keys: [{ vkey, first_tree_size: 0, last_tree_size: null }] }],
    witness_policy: null,
    tsa_roots: [],
  });
const ARGV = ['log', 'export', '/log', '--to', '/copy', '--trust', '/trust.json'];
const files: Readonly<Record<string, string>> = { '/trust.json': trustOf(KEY), ...createLog(3, '/log') };

describe('log export', () => {
  it('writes the log, its keys and a page for its finder, for everybody to read', async () => {
    const run = await runTranscript([...ARGV, '--output', 'json'], {}, { files });
    expect({ code: run.exitCode, stderr: run.stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(run.stdout)).toEqual({
      ...{ origin: ORIGIN, tree_size: 3, earlier_tree_size: null, entry_tiles_read: 1 },
    });
    const written = [...run.files.keys()].filter((path) => path.startsWith('/copy/'));
    expect(written).toEqual([
      '/copy/tile/entries/000.p/3',
      '/copy/tile/0/000.p/3',
      '/copy/trust.json',
      '/copy/README.md',
      '/copy/log-1.vkey',
      '/copy/checkpoint',
    ]);
    expect(written.map((path) => run.modes.get(path))).toEqual(written.map(() => 0o644));
    expect(run.files.get('/copy/checkpoint')).toBe(files['/log/checkpoint']);
    expect(run.files.get('/copy/README.md')).toContain(ORIGIN);
    expect(run.files.get('/copy/log-1.vkey')).toBe(`${KEY.vkey}\n`);
  });

  it('brings a folder up to date, and removes the partial tiles that no reader needs', async () => {
    const older = { ...createLog(1, '/copy'), '/copy/tile/entries/000.p/2': 'left by an earlier run' };
    const run = await runTranscript(ARGV, {}, { files: { ...files, ...older } });
    expect(run.exitCode).toBe(0);
    expect([...run.files.keys()].filter((path) => path.startsWith('/copy/tile/entries/')).sort()).toEqual([
      '/copy/tile/entries/000.p/1',
      '/copy/tile/entries/000.p/3',
    ]);
  });

  it.each([
    ['a log that another key signed', { ...files, ...createLog(3, '/log', createKey()) }, 'no trusted key signed'],
    ['a log that is smaller than the folder', { ...files, ...createLog(4, '/copy') }, 'it was rolled back'],
    ['a folder that another key signed', { ...files, ...createLog(1, '/copy', createKey()) }, 'no trusted key signed'],
    ['a place without a log', { '/trust.json': trustOf(KEY) }, 'the log has no checkpoint'],
  ])('ends with 1 at %s, and leaves the checkpoint of the folder', async (_, world, words) => {
    const run = await runTranscript(ARGV, {}, { files: world });
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toContain(`/copy keeps the checkpoint that it has: `);
    expect(run.stderr).toContain(words);
    expect(run.files.get('/copy/checkpoint')).toBe(new Map(Object.entries(world)).get('/copy/checkpoint'));
  });

  it('ends with 2 while another export writes to the folder', async () => {
    const run = await runTranscript(ARGV, {}, { files, locked: ['/copy.lock'] });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('another export writes to this folder');
  });
});
