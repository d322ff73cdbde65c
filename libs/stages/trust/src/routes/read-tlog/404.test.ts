import { describe, expect, it } from '@jest/globals';
import { openTrust } from '../../fixtures/trust.ts';

describe('GET /tlog/{workspace}/{+path}', () => {
  it('answers 404 to another workspace’s name, and to what a log of two entries does not hold', async () => {
    const { call, manager } = await openTrust();
    for (const path of [
      'other/checkpoint',
      'acme/checkpoint/',
      'acme/tile/0/000',
      'acme/tile/0/000.p/3',
      'acme/tile/0/001.p/1',
      'acme/tile/1/000.p/1',
      'acme/tile/entries/000',
      'acme/tile/0/0',
      'acme/../checkpoint',
      'acme/x',
    ])
      expect([path, await call('GET', `/tlog/${path}`, { as: manager })]).toMatchObject([path, { status: 404 }]);
  });
});
