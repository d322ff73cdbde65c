import { describe, expect, it } from '@jest/globals';
import { createMasterKey, parseMasterKey } from './master-key.ts';

const KEY = Uint8Array.from({ length: 32 }, (_, i) => i * 8);
const TEXT = Buffer.from(KEY).toString('base64');

describe('parseMasterKey', () => {
  it('reads base64 of 32 bytes', () => {
    expect(parseMasterKey(TEXT)).toEqual(KEY);
  });

  it('refuses everything else, says how to make one, and quotes nothing of it', () => {
    const short = Buffer.from(KEY.subarray(1)).toString('base64');
    const long = Buffer.from([...KEY, 0]).toString('base64');
    const refused = [
      '',
      short,
      long,
      `${TEXT}\n`,
      ` ${TEXT}`,
      TEXT.slice(0, -1),
      TEXT.replace('=', '-'),
      '0'.repeat(64),
    ];
    for (const text of refused) {
      expect(() => parseMasterKey(text)).toThrow(
        new Error('the master key must be base64 of 32 bytes; create one with: openssl rand -base64 32'),
      );
    }
  });
});

describe('createMasterKey', () => {
  it('makes another key of 32 bytes each time', () => {
    expect(createMasterKey()).toHaveLength(32);
    expect(createMasterKey()).not.toEqual(createMasterKey());
  });
});
