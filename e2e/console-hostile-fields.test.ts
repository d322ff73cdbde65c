import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeInBrowser } from '../tools/scenery/browser.ts';
import { testFields } from './hostile-console/fields.ts';
import { type HostileConsole, openHostileConsole } from './hostile-console/hostile-console.ts';

describeInBrowser('hostile texts that somebody types', () => {
  let hostile: HostileConsole;
  beforeAll(async () => {
    hostile = await openHostileConsole();
  }, 120_000);
  afterAll(() => hostile.watched.close());

  testFields(() => hostile);

  it('ran nothing, asked no other host, and made Chromium complain of nothing', () => {
    expect(hostile.watched.faults).toEqual([]);
    expect(hostile.complaints).toEqual([]);
  });
});
