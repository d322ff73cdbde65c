import { describe, expect, it } from '@jest/globals';
import { createFixtureSigner, verifySignature } from '../fixtures/signer.ts';
import {
  algorithmOfLogKey,
  COSIGNATURE_ED25519,
  COSIGNATURE_ML_DSA_44,
  ED25519,
  formatNote,
  formatVkey,
  NoteError,
  parseCosignature,
  parseNote,
  signText,
  signTree,
  verifyNote,
} from './index.ts';

const ORIGIN = 'example.com/log';
const HEAD = { origin: ORIGIN, size: 3, root: new Uint8Array(32).fill(7) };
const ed25519 = createFixtureSigner(ORIGIN, ED25519, 1);
const mlDsa44 = createFixtureSigner(ORIGIN, COSIGNATURE_ML_DSA_44, 1);
const KEYS = [ed25519, mlDsa44].map(({ vkey, sign }) => ({ vkey: formatVkey(vkey), sign }));
const VKEYS = [ed25519.vkey, mlDsa44.vkey];

describe('a checkpoint that a log signs by Ed25519 and ML-DSA-44', () => {
  it('has a line of each, in the order of the keys, and the second states no time', async () => {
    const note = parseNote(signTree(HEAD, KEYS));
    expect(note.signatures.map(({ name, signature }) => [name, signature.length])).toEqual([
      [ORIGIN, 64],
      [ORIGIN, 2428],
    ]);
    expect(parseCosignature(note.signatures[1]?.signature ?? new Uint8Array()).timestamp).toBe(0);
    expect(await verifyNote(note, VKEYS, verifySignature)).toEqual(VKEYS);
  });

  it('is signed the same by Ed25519 with and without the other key', () => {
    const [both, alone] = [KEYS, KEYS.slice(0, 1)].map((keys) => parseNote(signTree(HEAD, keys)));
    expect(both?.text).toBe(alone?.text);
    expect(both?.signatures[0]).toEqual(alone?.signatures[0]);
  });

  it('is verified by anyone who knows only the first key, whatever the second line says', async () => {
    const note = parseNote(signTree(HEAD, KEYS));
    const [first, second] = note.signatures;
    if (first === undefined || second === undefined) throw new Error('there are two lines');
    const wrong = { ...second, signature: second.signature.map((byte, n) => (n === 99 ? byte ^ 1 : byte)) };
    const altered = { ...note, signatures: [first, wrong] };
    expect(await verifyNote(altered, [ed25519.vkey], verifySignature)).toEqual([ed25519.vkey]);
    for (const keys of [VKEYS, [mlDsa44.vkey]])
      await expect(verifyNote(altered, keys, verifySignature)).rejects.toThrow('ML-DSA-44 signature by a trusted key');
    expect(await verifyNote({ ...note, signatures: [first] }, VKEYS, verifySignature)).toEqual([ed25519.vkey]);
  });

  it('is not that of another tree, another log or another length', async () => {
    const other = parseNote(signTree({ ...HEAD, size: 4 }, KEYS)).signatures[1];
    const short = { ...other, signature: other?.signature.slice(1) };
    const { text, signatures } = parseNote(signTree(HEAD, KEYS));
    for (const line of [other, short] as typeof signatures) {
      const note = { text, signatures: [...signatures.slice(0, 1), line] };
      await expect(verifyNote(note, VKEYS, verifySignature)).rejects.toThrow('ML-DSA-44 signature by a trusted key');
    }
  });
});

describe('the ML-DSA-44 key of a log', () => {
  it('signs checkpoints and no other text', () => {
    expect(() => signText('answer-evidence/reconciliation/v1\n', KEYS)).toThrow(NoteError);
    expect(formatNote(parseNote(signText('some text\n', KEYS.slice(0, 1))))).toContain('some text');
  });

  it('is told from that of Ed25519 by its vkey, and a witness by Ed25519 is none of a log', () => {
    expect(VKEYS.map(algorithmOfLogKey)).toEqual(['ed25519', 'ml-dsa-44']);
    const witness = createFixtureSigner(ORIGIN, COSIGNATURE_ED25519, 1).vkey;
    expect(() => algorithmOfLogKey(witness)).toThrow('Ed25519 or ML-DSA-44');
  });
});
