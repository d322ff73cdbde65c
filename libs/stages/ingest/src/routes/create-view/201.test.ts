import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Caller } from '@answer-evidence/access';
import { savedViewList, VIEWS_MAX } from '@answer-evidence/contracts';
import { NO_ID } from '@answer-evidence/testing';
import { type IngestTest, openIngest } from '../../fixtures/ingest.ts';

describe('shared views', () => {
  let stage: IngestTest;
  beforeAll(async () => {
    stage = await openIngest();
  });

  const save = (name: string, filters: object = {}, as: Caller = stage.member) =>
    stage.call('POST', '/api/search/views', { as, body: { name, filters } });
  const list = async (as: Caller = stage.manager) =>
    savedViewList.parse((await stage.call('GET', '/api/search/views', { as })).body).items;
  const remove = (id: string, as: Caller) => stage.call('DELETE', `/api/search/views/${id}`, { as });

  it('are seen by all members, and removed by who saved them or a manager', async () => {
    const filters = { status: 'corrected', recent_days: 7, answered_after: '2024-01-01T00:00:00+01:00' };
    expect((await save('Corrected', filters)).status).toBe(201);
    expect((await save('Of the manager', {}, stage.manager)).status).toBe(201);
    expect(await save('Corrected')).toMatchObject({ status: 409, code: 'name_taken' });
    const views = await list(stage.member);
    expect(views).toMatchObject([
      {
        name: 'Corrected',
        filters: { status: 'corrected', recent_days: 7, answered_after: '2023-12-31T23:00:00.000000Z' },
        created_by: stage.member.userId,
      },
      { name: 'Of the manager' },
    ]);
    const [own = '', other = ''] = views.map(({ id }) => id);
    expect(await remove(other, stage.member)).toMatchObject({ status: 403, code: 'role_not_allowed' });
    expect(await remove(other, stage.manager)).toMatchObject({ status: 204 });
    expect(await remove(own, stage.member)).toMatchObject({ status: 204 });
    expect(await remove(own, stage.member)).toMatchObject({ status: 404, code: 'not_found' });
    expect(await remove(NO_ID, stage.manager)).toMatchObject({ status: 404 });
    expect(await list()).toEqual([]);
  });

  it('have a name that shows what it is, and filters that lists take', async () => {
    for (const [name, filters] of [
      ['', {}],
      ['a\u202eb', {}],
      ['x'.repeat(101), {}],
      ['x', { text: 'jackets' }],
      ['x', { recent_days: 0 }],
      ['x', { status: 'lost' }],
      ['x', { created_after: '2024-02-30T00:00:00Z' }],
    ] as const)
      expect(await save(name, filters)).toMatchObject({ status: 422, code: 'schema_violation' });
    expect(await list()).toEqual([]);
  });
});

it('a workspace has only so many', async () => {
  const stage = await openIngest();
  const save = (name: string) =>
    stage.call('POST', '/api/search/views', { as: stage.member, body: { name, filters: {} } });
  for (let n = 0; n < VIEWS_MAX; n++) expect((await save(`view ${n}`)).status).toBe(201);
  expect(await save('one more')).toMatchObject({ status: 409, code: 'limit_reached' });
});
