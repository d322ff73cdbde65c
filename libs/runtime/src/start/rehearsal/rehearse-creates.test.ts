import { setImmediate } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { rehearseCreates } from './rehearse-creates.ts';

const openPorts = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;

it('sends creates that are all answered with 201, and leaves no port open', async () => {
  const before = openPorts();
  expect(await rehearseCreates()).toBeGreaterThanOrEqual(16);
  // A closed handle is gone with the next turn of the event loop.
  await setImmediate();
  expect(openPorts()).toBe(before);
});
