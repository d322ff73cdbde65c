import { describe, expect, it } from '@jest/globals';
import { windowOf } from './window-of.ts';

describe('the window of a list', () => {
  it('is the whole days of UTC that its times are of', () => {
    expect(windowOf(['2026-11-20T07:41:40Z', '2026-11-20T08:00:00.5Z'])).toEqual({
      start: '2026-11-20T00:00:00Z',
      end: '2026-11-21T00:00:00Z',
    });
    expect(windowOf(['2026-11-21T00:00:00Z', '2026-11-20T23:59:59+01:00'])).toEqual({
      start: '2026-11-20T00:00:00Z',
      end: '2026-11-22T00:00:00Z',
    });
  });

  it('is none where no time is one', () => {
    expect(windowOf([])).toBeUndefined();
    expect(windowOf(['yesterday', ''])).toBeUndefined();
  });
});
