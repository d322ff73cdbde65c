import { expect, it } from '@jest/globals';
import { createRecord, openIngest } from '../../fixtures/ingest.ts';

it('GET /api/search/values lists what records have, and an application its own', async () => {
  const stage = await openIngest();
  await createRecord(stage, { mode: 'fast', environment: 'staging' });
  await createRecord(stage, { application_key: 'other-bot' });
  await createRecord(stage, { mode: 'chat' });
  const values = async (as: typeof stage.manager | typeof stage.application) =>
    (await stage.call('GET', '/api/search/values', { as })).body;
  expect(await values(stage.manager)).toEqual({
    applications: ['other-bot', 'support-bot'],
    environments: ['production', 'staging'],
    modes: ['chat', 'fast'],
    is_complete: true,
  });
  expect(await values(stage.application)).toMatchObject({ applications: ['support-bot'] });
});
