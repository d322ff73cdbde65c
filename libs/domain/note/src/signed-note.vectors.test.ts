import { createPublicKey, verify } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { leafHash, nodeHash } from '@answer-evidence/merkle';
import {
  formatNote,
  formatVkey,
  NoteError,
  parseCheckpoint,
  parseNote,
  parseVkey,
  verifyNote,
  type VerifySignature,
} from './index.ts';

const SPKI_ED25519 = Buffer.from('302a300506032b6570032100', 'hex');

const verifySignature: VerifySignature = (publicKey, message, signature) => {
  const key = createPublicKey({ key: Buffer.concat([SPKI_ED25519, publicKey]), format: 'der', type: 'spki' });
  return verify(null, message, key, signature);
};

/** The example of golang.org/x/mod/sumdb/note, which C2SP signed-note specifies. */
const EXAMPLE_VKEY = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';
const EXAMPLE_NOTE =
  'This is an example message.\n\n\u2014 example.com/foo ' +
  'Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n';

/** A checkpoint over the leaves "a", "b" and "c", with the keys of the Ed25519 seeds 00..01 and 00..02. */
const LOG_VKEY = 'example.com/answers/t1+c59b50ed+AUy1q/atefv1q7zK/MJp2FzSZR7UuIW1hp8kGu3wpbop';
const WITNESS_VKEY = 'witness.example/w1+e93c28d6+BHQiuYh1mAaOMsREipSa2ykND041ueAbDuXxoeYA/iZ0';
const CHECKPOINT_NOTE =
  'example.com/answers/t1\n3\nNmQuc8JUCrEh46a/lUWwokmCzYMOsT080Z3jzmwCHsE=\n\n' +
  '\u2014 example.com/answers/t1 ' +
  'xZtQ7Z1eKmp7tWSMNhcbmxv8AXO9aC3wfuVKz6Fkc4Ks6nVmoPT8acfXToa6a+nZgyl8X+E208DTMwcalAfNq63AQgQ=\n' +
  '\u2014 witness.example/w1 ' +
  '6Two1gAAAABpHloALlkjzkn3d0eO6u/BDbM8RcPmQhsWPTYdBiVRxePpLu2DCycYF61PNQChzTjmBfACwseEe0YynokQWUHIMDc5Dw==\n';

describe('the published note', () => {
  it('verifies by its key, and reads and writes as the same text', async () => {
    const vkey = parseVkey(EXAMPLE_VKEY);
    const note = parseNote(EXAMPLE_NOTE);
    expect(note.text).toBe('This is an example message.\n');
    expect(await verifyNote(note, [vkey], verifySignature)).toEqual([vkey]);
    expect(formatNote(note)).toBe(EXAMPLE_NOTE);
    expect(formatVkey(vkey)).toBe(EXAMPLE_VKEY);
  });

  it('does not verify with any letter of the text changed', async () => {
    const vkey = parseVkey(EXAMPLE_VKEY);
    for (let i = 0; i < EXAMPLE_NOTE.indexOf('\n'); i++) {
      const altered = EXAMPLE_NOTE.slice(0, i) + '#' + EXAMPLE_NOTE.slice(i + 1);
      await expect(verifyNote(parseNote(altered), [vkey], verifySignature)).rejects.toThrow(NoteError);
    }
  });
});

describe('the cosigned checkpoint', () => {
  it('verifies by the key of the log, whose tree is that of its three leaves', async () => {
    const note = parseNote(CHECKPOINT_NOTE);
    const log = parseVkey(LOG_VKEY);
    expect(await verifyNote(note, [log], verifySignature)).toEqual([log]);
    const { origin, size, root } = parseCheckpoint(note.text);
    expect([origin, size]).toEqual([log.name, 3]);
    expect(root).toEqual(nodeHash(nodeHash(leafHash('a'), leafHash('b')), leafHash('c')));
    expect(formatNote(note)).toBe(CHECKPOINT_NOTE);
  });

  it('names the key of the witness, whose signature is not one of the text alone', async () => {
    const note = parseNote(CHECKPOINT_NOTE);
    const witness = parseVkey(WITNESS_VKEY);
    expect(note.signatures[1]?.name).toBe(witness.name);
    expect(note.signatures[1]?.keyId).toEqual(witness.id);
    expect(note.signatures[1]?.signature.length).toBe(72);
    await expect(verifyNote(note, [witness], verifySignature)).rejects.toThrow(
      'not an Ed25519 or ML-DSA-44 key of a log',
    );
  });
});
