import { describe, expect, it } from '@jest/globals';
import { createFixtureSigner, type FixtureSigner, verifySignature } from '../fixtures/signer.ts';
import {
  COSIGNATURE_ED25519,
  COSIGNATURE_ML_DSA_44,
  createVkey,
  ED25519,
  formatNote,
  formatVkey,
  type NoteSignature,
  parseNote,
  parseWitnessPolicy,
  signCosignature,
  verifyCosignatures,
} from './index.ts';

const TEXT = 'example.com/log\n3\nNmQuc8JUCrEh46a/lUWwokmCzYMOsT080Z3jzmwCHsE=\n';
const log = createFixtureSigner('example.com/log', ED25519, 1);
const witnesses = Array.from({ length: 20 }, (_, i) =>
  createFixtureSigner(`w${i}.example`, COSIGNATURE_ED25519, 10 + i),
);
const [a, b] = witnesses as [FixtureSigner, FixtureSigner];
const logSignature = { name: log.vkey.name, keyId: log.vkey.id, signature: log.sign(TEXT) };

const cosign = (signer: FixtureSigner, time = 100, text = TEXT) =>
  signCosignature(text, signer.vkey, time, signer.sign);
const policyOf = (...signers: readonly FixtureSigner[]) =>
  parseWitnessPolicy(signers.map(({ vkey }, i) => `witness n${i} ${formatVkey(vkey)}\n`).join('') + 'quorum none\n');
const namesOn = async (signatures: readonly NoteSignature[], policy = policyOf(a, b)) =>
  (await verifyCosignatures({ text: TEXT, signatures }, policy, verifySignature)).map(({ witness }) => witness);

describe('verifyCosignatures', () => {
  it('finds those of the witnesses of the policy, and ignores other keys and types, right or wrong', async () => {
    const unknown = createFixtureSigner('unknown.example', COSIGNATURE_ED25519, 90);
    const sameName = createFixtureSigner(a.vkey.name, COSIGNATURE_ED25519, 91);
    const postQuantum = createVkey(a.vkey.name, 0x06, new Uint8Array(1312));
    const ignored: NoteSignature[] = [
      logSignature,
      cosign(unknown),
      cosign(unknown, 1, 'other\n'),
      cosign(sameName, 1, 'other\n'),
      { name: a.vkey.name, keyId: postQuantum.id, signature: new Uint8Array(2428) },
      { name: 'x', keyId: a.vkey.id, signature: Uint8Array.of(1) },
    ];
    expect(await namesOn(ignored)).toEqual([]);
    expect(await namesOn([...ignored, cosign(b), cosign(a)])).toEqual(['n1', 'n0']);
  });

  it('rejects the note for a wrong cosignature in the name of a witness of the policy', async () => {
    for (const wrong of [
      cosign(b, 100, 'other\n'),
      { ...cosign(a), name: b.vkey.name, keyId: b.vkey.id },
      { ...cosign(b), signature: cosign(b).signature.slice(0, -1) },
      { ...cosign(b), signature: b.sign(TEXT) },
    ]) {
      await expect(namesOn([cosign(a), wrong])).rejects.toThrow('cosignature');
      expect(await namesOn([cosign(a), wrong], policyOf(a))).toEqual(['n0']);
    }
  });

  it('returns a witness that signed many times once, with the latest of its times', async () => {
    const times = [100, 300, 200, 300];
    const note = { text: TEXT, signatures: times.map((time) => cosign(a, time)) };
    const verified = await verifyCosignatures(note, policyOf(a), verifySignature);
    expect(verified.map(({ timestamp }) => timestamp)).toEqual([300]);
  });

  it('takes one of ML-DSA-44 as one of any witness, right or wrong', async () => {
    const signer = createFixtureSigner('pq.example', COSIGNATURE_ML_DSA_44, 60);
    expect(await namesOn([cosign(a), cosign(signer)], policyOf(a, signer))).toEqual(['n0', 'n1']);
    const wrong = { ...cosign(signer), signature: new Uint8Array(2428) };
    await expect(namesOn([cosign(a), wrong], policyOf(a, signer))).rejects.toThrow('is invalid');
  });

  it('counts twenty cosignatures on one note', async () => {
    const note = parseNote(formatNote({ text: TEXT, signatures: [logSignature, ...witnesses.map((w) => cosign(w))] }));
    expect(await verifyCosignatures(note, policyOf(...witnesses), verifySignature)).toHaveLength(20);
  });
});
