import { describe, expect, it } from '@jest/globals';
import { formatVkey } from '@answer-evidence/note';
import { parseLogKeys } from './parse-log-keys.ts';

/** The log of 2025 of Sigstore, as its trusted root has it. */
const PUBLIC_LOG = {
  baseUrl: 'https://log2025-1.rekor.sigstore.dev',
  hashAlgorithm: 'SHA2_256',
  publicKey: {
    rawBytes: 'MCowBQYDK2VwAyEAt8rlp1knGwjfbcXAYPYAkn0XiLz1x8O4t0YkEhie244=',
    keyDetails: 'PKIX_ED25519',
    validFor: { start: '2025-09-23T00:00:00Z', end: '2026-09-23T00:00:00Z' },
  },
  logId: { keyId: 'zxGZFVvd0FEmjR8WrFwMdcAJ9vtaY/QXf44Y1wUeP6A=' },
};
const VKEY = 'log2025-1.rekor.sigstore.dev+cf119915+AbfK5adZJxsI323FwGD2AJJ9F4i89cfDuLdGJBIYntuO';

describe('parseLogKeys', () => {
  it('reads the log of Sigstore of a trusted root as its vkey, with its address and its end', () => {
    const [log, ...others] = parseLogKeys(JSON.stringify({ tlogs: [PUBLIC_LOG] }));
    expect(others).toEqual([]);
    expect(log).toMatchObject({ url: PUBLIC_LOG.baseUrl, retiredAt: Date.UTC(2026, 8, 23) * 1000 });
    expect(log === undefined ? '' : formatVkey(log.vkey)).toBe(VKEY);
  });

  it('knows no end where a trusted root has none, or none that is a time', () => {
    for (const validFor of [undefined, {}, { end: 'later' }, { end: 5 }]) {
      const publicKey = { ...PUBLIC_LOG.publicKey, validFor };
      expect(parseLogKeys(JSON.stringify({ tlogs: [{ ...PUBLIC_LOG, publicKey }] }))).toMatchObject([
        { retiredAt: null },
      ]);
    }
  });

  it('reads vkeys, which have neither', () => {
    expect(parseLogKeys(`${VKEY}\n`)).toMatchObject([{ url: null, retiredAt: null }]);
  });
});
