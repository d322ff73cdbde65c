import { expect, it } from '@jest/globals';
import { openIngest } from '../../fixtures/ingest.ts';

it.each([
  [{ text: ' \u200b' }, '/text'],
  [{ text: 'x'.repeat(1025) }, '/text'],
  [{ text: '\ud800' }, '/text'],
  [{ text: 7 }, '/text'],
  [{ text: 'x', time_zone: 'Mars/Olympus' }, '/time_zone'],
  [{ text: 'x', size: 51 }, '/size'],
  [{ text: 'x', q: 'y' }, '/q'],
])('a search for %j is refused, and the place of the fault is named', async (body, pointer) => {
  const stage = await openIngest();
  const reply = await stage.call('POST', '/api/search', { as: stage.manager, body });
  expect(reply).toMatchObject({ status: 422, errors: [expect.objectContaining({ pointer })] });
});
