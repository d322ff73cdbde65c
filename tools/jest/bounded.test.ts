import { describe, expect, it } from '@jest/globals';
import { bounded } from './bounded.ts';

describe('a test with a limit of time', () => {
  it('passes when it ends in time, and leaves no timer behind', async () => {
    const before = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    await bounded(() => Promise.resolve())();
    expect(process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout')).toHaveLength(before);
  });

  it('fails with its own error', async () => {
    const failing = bounded(() => {
      throw new Error('its own');
    });
    await expect(failing()).rejects.toThrow('its own');
  });

  it('fails when it does not end', async () => {
    const endless = bounded(() => Promise.withResolvers().promise, 10);
    await expect(endless()).rejects.toThrow('exceeded timeout of 10 ms');
  });
});
