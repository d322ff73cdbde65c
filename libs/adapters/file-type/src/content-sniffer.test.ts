import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SNIFFED_BYTES_MAX } from '@answer-evidence/ports';
import { createContentSniffer } from './content-sniffer.ts';

const sniffer = createContentSniffer();
const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));

describe('a content sniffer', () => {
  it.each([
    ['89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'image/png'],
    ['ffd8ffe000104a46494600010100000100010000', 'image/jpeg'],
    ['255044462d312e370a25e2e3cfd30a', 'application/pdf'],
    ['1f8b0800000000000003', 'application/gzip'],
    ['524946462400000057415645666d7420', 'audio/wav'],
  ])('knows %s', async (hex, type) => {
    expect(await sniffer.sniff(bytes(hex))).toBe(type);
  });

  it.each(['', 'plain words', '# A heading\n', '{"a":1}', '<p>Hello</p>'])('knows nothing of %j', async (text) => {
    expect(await sniffer.sniff(new TextEncoder().encode(text))).toBeUndefined();
  });

  it('never throws, whatever the bytes are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 2_000 }),
        fc.constantFrom('504b0304', '3026b2758e66cf11', '00000018667479706d703432', 'fff1', ''),
        async (rest, magic) => {
          const head = new Uint8Array([...bytes(magic), ...rest]).subarray(0, SNIFFED_BYTES_MAX);
          expect(['string', 'undefined']).toContain(typeof (await sniffer.sniff(head)));
        },
      ),
    );
  });
});
