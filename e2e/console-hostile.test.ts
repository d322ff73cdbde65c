import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeInBrowser } from '../tools/scenery/browser.ts';
import { type HostileConsole, openHostileConsole } from './hostile-console/hostile-console.ts';
import { testIntake } from './hostile-console/intake.ts';
import { testMarkdown } from './hostile-console/markdown.ts';
import { testRecords } from './hostile-console/records.ts';
import { testReplies } from './hostile-console/replies.ts';
import { testSearch } from './hostile-console/search.ts';
import { testWorkspace } from './hostile-console/workspace.ts';
import { HOSTILE_TEXTS } from './support/hostile-texts.ts';

describeInBrowser('hostile texts wherever they are shown', () => {
  let hostile: HostileConsole;
  beforeAll(async () => {
    hostile = await openHostileConsole();
  }, 120_000);
  afterAll(() => hostile.watched.close());
  const open = () => hostile;

  it('are at least two hundred, each another one', () => {
    expect(new Set(HOSTILE_TEXTS).size).toBe(HOSTILE_TEXTS.length);
    expect(HOSTILE_TEXTS.length).toBeGreaterThanOrEqual(200);
  });

  // Pages load faster while little is stored.
  testReplies(open);
  testRecords(open);
  testSearch(open);
  testMarkdown(open);
  testIntake(open);
  testWorkspace(open);

  it('ran nothing, asked no other host, and made Chromium complain of nothing', () => {
    expect(hostile.watched.faults).toEqual([]);
    expect(hostile.complaints).toEqual([]);
  });
});
