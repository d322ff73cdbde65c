import { describe, expect, it } from '@jest/globals';
import { sha512 } from '@answer-evidence/digest';
import { concatBytes, formatHex, utf8 } from '@answer-evidence/encoding';
import { encodeArchiveChains, rehashChains } from './archive-chains.ts';

const token = Uint8Array.of(0x30, 0x03, 0x02, 0x01, 0x07);
const hash = (byte: number) => new Uint8Array(32).fill(byte);

describe('chains of archive time-stamps', () => {
  it('are encoded as RFC 4998 defines them, the first one without a tree', () => {
    const chains = [[{ token }, { path: [[hash(1), hash(2)], [hash(3)]], token }]];
    const group = `3044${`0420${'01'.repeat(32)}`}${`0420${'02'.repeat(32)}`}`;
    const tree = `a26a${group}3022${`0420${'03'.repeat(32)}`}`;
    const stamps = `30053003020107${`3071${tree}3003020107`}`;
    expect(formatHex(encodeArchiveChains(chains))).toBe(`307c307a${stamps}`);
  });

  it('have lengths of one octet and more', () => {
    const path = [Array.from({ length: 10 }, (_, n) => hash(n))];
    const der = formatHex(encodeArchiveChains([[{ path, token }]]));
    expect(der.slice(0, 40)).toBe(['30820169', '30820165', '30820161', 'a2820158', '30820154'].join(''));
    expect(der).toHaveLength(2 * (4 + 0x169));
  });

  it('are covered with the data by the next chain', () => {
    const data = utf8('the text\n');
    const chains = [[{ token }]];
    const expected = sha512(concatBytes(sha512(data), sha512(encodeArchiveChains(chains))));
    expect(rehashChains(data, chains)).toEqual(expected);
    expect(rehashChains(utf8('another'), chains)).not.toEqual(expected);
    expect(rehashChains(data, [[{ token }, { token }]])).not.toEqual(expected);
  });
});
