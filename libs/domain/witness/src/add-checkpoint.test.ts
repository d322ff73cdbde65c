import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createFixtureLog } from '../fixtures/fixture-log.ts';
import { formatAddCheckpoint, formatSize, parseAddCheckpoint, parseSize, WitnessError } from './index.ts';

const log = createFixtureLog('example.com/log', 1);
const hash = fc.uint8Array({ minLength: 32, maxLength: 32 });

describe('an add-checkpoint request', () => {
  it('reads back as what was written, with up to 63 hashes', () => {
    const proofs = fc.array(hash, { maxLength: 63 });
    fc.assert(
      fc.property(fc.maxSafeNat(), proofs, fc.nat(40), (oldSize, proof, size) => {
        const read = parseAddCheckpoint(formatAddCheckpoint({ oldSize, proof, note: log.note(size) }));
        expect([read.oldSize, read.proof]).toEqual([oldSize, proof]);
        expect(read.checkpoint).toEqual({ origin: log.origin, size, root: log.root(size) });
      }),
    );
  });

  it('of the specification is read, signatures of unknown types included', () => {
    // C2SP tlog-witness, "Example request body"; its two log signatures are by keys that are not given.
    const text = `old 20852014
PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=
jrJZDmY8Y7SyJE0MWLpLozkIVMSMZcD5kvuKxPC3swk=
5+pKlUdi2LeF/BcMHBn+Ku6yhPGNCswZZD1X/6QgPd8=
/6WVhPs2CwSsb5rYBH5cjHV/wSmA79abXAwhXw3Kj/0=

example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

\u2014 example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
\u2014 example.com/behind-the-sofa opLqBQsREYCgu6xQkYQwJr9fo45a62DN9EdmHXnZdXNqlcVGlCum2Wks+49/V6267UEjw6QUXTS5Rovnzv++qbSzm9Q=
`;
    const read = parseAddCheckpoint(text);
    expect([read.oldSize, read.proof.length, read.checkpoint.size]).toEqual([20_852_014, 4, 20_852_163]);
    expect(read.note.signatures).toHaveLength(2);
  });

  const good = log.request(3, 7);
  it.each([
    ['nothing', ''],
    ['no old size', good.slice(good.indexOf('\n') + 1)],
    ['an old size with a leading zero', good.replace('old 3', 'old 03')],
    ['an old size with a sign', good.replace('old 3', 'old +3')],
    ['an old size with an exponent', good.replace('old 3', 'old 3e0')],
    ['an old size of 2^53', good.replace('old 3', 'old 9007199254740992')],
    ['two spaces', good.replace('old 3', 'old  3')],
    ['a carriage return', good.replace('old 3', 'old 3\r')],
    ['a proof line that is not base64', good.replace('old 3\n', 'old 3\nx\n')],
    ['a proof line of 31 bytes', good.replace('old 3\n', `old 3\n${Buffer.alloc(31).toString('base64')}\n`)],
    ['a proof line of no canonical base64', good.replace('old 3\n', `old 3\n${'A'.repeat(42)}B=\n`)],
    ['64 hashes', good.replace('old 3\n', `old 3\n${`${Buffer.alloc(32).toString('base64')}\n`.repeat(64)}`)],
    ['no empty line', good.replaceAll('\n\n', '\n')],
    ['no checkpoint', good.slice(0, good.indexOf('\n\n') + 2)],
    ['no signature', good.slice(0, good.lastIndexOf('\n\n') + 2)],
    ['a checkpoint of two lines', good.replace('\n7\n', '\n')],
    ['a size with a leading zero', good.replace('\n7\n', '\n07\n')],
    ['a root of 31 bytes', good.replace(/\n7\n.*\n/, `\n7\n${Buffer.alloc(31).toString('base64')}\n`)],
    ['no last line feed', good.slice(0, -1)],
  ])('with %s is refused', (_, text) => {
    expect(() => parseAddCheckpoint(text)).toThrow(WitnessError);
  });

  it('that no witness would read is not written', () => {
    const note = log.note(1);
    for (const oldSize of [-1, 0.5, 2 ** 53]) {
      expect(() => formatAddCheckpoint({ oldSize, proof: [], note })).toThrow(WitnessError);
    }
    const proof = Array.from({ length: 64 }, () => new Uint8Array(32));
    expect(() => formatAddCheckpoint({ oldSize: 1, proof, note })).toThrow(WitnessError);
    expect(() => formatAddCheckpoint({ oldSize: 1, proof: [new Uint8Array(31)], note })).toThrow(WitnessError);
  });
});

describe('the size in a conflict', () => {
  it('reads back as what was written, and in no other form', () => {
    fc.assert(fc.property(fc.maxSafeNat(), (size) => expect(parseSize(formatSize(size))).toBe(size)));
    for (const text of [
      '',
      '\n',
      '5',
      '05\n',
      '+5\n',
      '5\n\n',
      '5\r\n',
      ' 5\n',
      '-1\n',
      '1e3\n',
      '9007199254740992\n',
    ]) {
      expect(() => parseSize(text)).toThrow(WitnessError);
    }
  });
});
