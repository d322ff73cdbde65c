import { describe, expect, it } from '@jest/globals';
import { createFixtureSigner, verifySignature } from '../fixtures/signer.ts';
import {
  COSIGNATURE_ED25519,
  ED25519,
  evaluateQuorum,
  formatNote,
  formatVkey,
  parseCosignature,
  parseNote,
  parseVkey,
  parseWitnessPolicy,
  signCosignature,
  verifyCosignature,
  verifyCosignatures,
} from './index.ts';

/** A checkpoint over the leaves "a", "b" and "c", with the keys of the Ed25519 seeds 00..01 and 00..02. */
const LOG_VKEY = 'example.com/answers/t1+c59b50ed+AUy1q/atefv1q7zK/MJp2FzSZR7UuIW1hp8kGu3wpbop';
const WITNESS_VKEY = 'witness.example/w1+e93c28d6+BHQiuYh1mAaOMsREipSa2ykND041ueAbDuXxoeYA/iZ0';
const NOTE =
  'example.com/answers/t1\n3\nNmQuc8JUCrEh46a/lUWwokmCzYMOsT080Z3jzmwCHsE=\n\n' +
  '\u2014 example.com/answers/t1 ' +
  'xZtQ7Z1eKmp7tWSMNhcbmxv8AXO9aC3wfuVKz6Fkc4Ks6nVmoPT8acfXToa6a+nZgyl8X+E208DTMwcalAfNq63AQgQ=\n' +
  '\u2014 witness.example/w1 ' +
  '6Two1gAAAABpHloALlkjzkn3d0eO6u/BDbM8RcPmQhsWPTYdBiVRxePpLu2DCycYF61PNQChzTjmBfACwseEe0YynokQWUHIMDc5Dw==\n';
const TIME = 1_763_596_800;

/** The cosigned checkpoint shown in C2SP tlog-cosignature; it gives no keys, only the time in its text: 1679315147. */
const PUBLISHED_NOTE =
  'example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n' +
  '\u2014 example.com/behind-the-sofa ' +
  'Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n' +
  '\u2014 witness.example.com/w1 ' +
  'jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==\n';

describe('the cosigned checkpoint of known keys', () => {
  const note = parseNote(NOTE);
  const witness = createFixtureSigner('witness.example/w1', COSIGNATURE_ED25519, 2);

  it('verifies by the key of its witness, and tells its time', async () => {
    expect(formatVkey(witness.vkey)).toBe(WITNESS_VKEY);
    const bytes = note.signatures[1]?.signature ?? new Uint8Array();
    expect(await verifyCosignature(note.text, parseVkey(WITNESS_VKEY), bytes, verifySignature)).toMatchObject({
      timestamp: TIME,
    });
  });

  it('is what signing makes again, byte for byte', () => {
    const log = createFixtureSigner('example.com/answers/t1', ED25519, 1);
    expect(formatVkey(log.vkey)).toBe(LOG_VKEY);
    const signatures = [
      { name: log.vkey.name, keyId: log.vkey.id, signature: log.sign(note.text) },
      signCosignature(note.text, witness.vkey, TIME, witness.sign),
    ];
    expect(formatNote({ text: note.text, signatures })).toBe(NOTE);
  });

  it('is a quorum of a policy that asks for its witness', async () => {
    const policy = parseWitnessPolicy(`log ${LOG_VKEY}\nwitness one ${WITNESS_VKEY}\nquorum one\n`);
    const [cosignature, ...others] = await verifyCosignatures(note, policy, verifySignature);
    expect(others).toEqual([]);
    expect(cosignature).toMatchObject({ witness: 'one', vkey: WITNESS_VKEY, timestamp: TIME });
    expect(NOTE.endsWith(cosignature?.line ?? '-')).toBe(true);
    const keys = [cosignature?.publicKeyHex ?? ''];
    expect(evaluateQuorum(policy, keys)).toEqual({ isMet: true, counted: ['one'] });
    expect(evaluateQuorum(policy, [])).toEqual({ isMet: false, counted: [] });
  });
});

describe('the published cosignature', () => {
  it('is read as the time that the specification says it was made at', () => {
    const [, cosignature] = parseNote(PUBLISHED_NOTE).signatures;
    expect(cosignature?.name).toBe('witness.example.com/w1');
    expect(parseCosignature(cosignature?.signature ?? new Uint8Array()).timestamp).toBe(1_679_315_147);
  });
});
