import { createPrivateKey, createPublicKey, type KeyObject, sign, verify as verifySignature } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  createVkey,
  ED25519,
  NoteError,
  type NoteSignature,
  verifyNote,
  type VerifySignature,
  type Vkey,
} from './index.ts';

const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI_ED25519 = Buffer.from('302a300506032b6570032100', 'hex');
const TEXT = 'some text\n\nwith a blank line\n';

const verify: VerifySignature = (publicKey, message, signature) => {
  const key = createPublicKey({ key: Buffer.concat([SPKI_ED25519, publicKey]), format: 'der', type: 'spki' });
  return Promise.resolve(verifySignature(null, message, key, signature));
};

type Signer = { readonly vkey: Vkey; readonly key: KeyObject };

function createSigner(name: string, seed: number): Signer {
  const der = Buffer.concat([PKCS8_ED25519, Buffer.alloc(32, seed)]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(SPKI_ED25519.length);
  return { vkey: createVkey(name, ED25519, new Uint8Array(publicKey)), key };
}

function signBy({ vkey, key }: Signer, text = TEXT): NoteSignature {
  return { name: vkey.name, keyId: vkey.id, signature: new Uint8Array(sign(null, Buffer.from(text), key)) };
}

const [a, b, c] = [createSigner('a.example', 1), createSigner('b.example', 2), createSigner('c.example', 3)];

describe('verifyNote', () => {
  it('returns the trusted keys that signed, each once, and ignores the others', async () => {
    const note = { text: TEXT, signatures: [signBy(b), signBy(c), signBy(a), signBy(b)] };
    expect(await verifyNote(note, [a.vkey, b.vkey], verify)).toEqual([b.vkey, a.vkey]);
  });

  it('ignores a wrong signature by an unknown key, also when it shares the name or the id of a trusted one', async () => {
    const wrong = { name: 'x.example', keyId: Uint8Array.of(1, 2, 3, 4), signature: new Uint8Array(64) };
    const signatures = [wrong, { ...wrong, name: a.vkey.name }, { ...wrong, keyId: a.vkey.id }, signBy(a)];
    expect(await verifyNote({ text: TEXT, signatures }, [a.vkey], verify)).toEqual([a.vkey]);
  });

  it('rejects the whole note for one wrong signature in the name of a trusted key', async () => {
    for (const wrong of [
      signBy(b, 'other text\n'),
      { ...signBy(a), name: b.vkey.name, keyId: b.vkey.id },
      { ...signBy(b), signature: new Uint8Array(64) },
      { ...signBy(b), signature: new Uint8Array(63) },
      { ...signBy(b), signature: Uint8Array.of(...signBy(b).signature, 0) },
    ]) {
      const note = { text: TEXT, signatures: [signBy(a), wrong] };
      await expect(verifyNote(note, [a.vkey, b.vkey], verify)).rejects.toThrow('trusted key is invalid');
      expect(await verifyNote(note, [a.vkey], verify)).toEqual([a.vkey]);
    }
  });

  it('rejects a note that no trusted key signed', async () => {
    const note = { text: TEXT, signatures: [signBy(a)] };
    await expect(verifyNote(note, [b.vkey], verify)).rejects.toThrow('no trusted key');
    await expect(verifyNote(note, [], verify)).rejects.toThrow('no trusted key');
    await expect(verifyNote({ text: TEXT, signatures: [] }, [a.vkey], verify)).rejects.toThrow(NoteError);
  });

  it('rejects two trusted keys behind one name and id, but not one key given twice', async () => {
    const note = { text: TEXT, signatures: [signBy(a)] };
    const colliding = { ...a.vkey, publicKey: b.vkey.publicKey };
    await expect(verifyNote(note, [a.vkey, colliding], verify)).rejects.toThrow('the same name and id');
    expect(await verifyNote(note, [a.vkey, { ...a.vkey }], verify)).toEqual([a.vkey]);
  });
});
