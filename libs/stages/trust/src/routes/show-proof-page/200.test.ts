import { describe, expect, it } from '@jest/globals';
import { openTrust } from '../../fixtures/trust.ts';

describe('GET /proof/', () => {
  it('is one page at every address, which nobody frames and no search engine keeps', async () => {
    const { call } = await openTrust();
    for (const path of ['/proof/', '/proof/anything/else?x=1']) {
      const reply = await call('GET', path);
      expect(reply).toMatchObject({ status: 200, contentType: 'text/html; charset=utf-8' });
      expect(reply.headers).toMatchObject({
        'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
        'Referrer-Policy': 'no-referrer',
        'X-Robots-Tag': 'noindex, nofollow',
      });
    }
  });
});
