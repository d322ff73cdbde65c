import { describe, expect, it } from '@jest/globals';
import { deadLetter, pageOf } from '@answer-evidence/contracts';
import { openStage, type StageTest } from '@answer-evidence/testing';
import { deadLetterOf, putDeadLetters } from '../../fixtures/dead-letters.ts';
import { createWorkspaceStage } from '../../stage.ts';

const PATH = '/api/dead-letters';

async function list({ call, manager }: StageTest, query: Record<string, string> = {}) {
  const reply = await call('GET', PATH, { as: manager, query });
  expect(reply.status).toBe(200);
  return pageOf(deadLetter).parse(reply.body);
}

async function withLetters(count: number): Promise<StageTest> {
  const stage = await openStage(createWorkspaceStage);
  await putDeadLetters(stage, count);
  return stage;
}

describe('GET /api/dead-letters', () => {
  it('shows failed jobs and why they failed, newest failure first', async () => {
    const page = await list(await withLetters(2));
    expect(page).toMatchObject({ page: 1, size: 50, total: 2, total_relation: 'eq', next_cursor: null });
    expect(page.items[0]).toEqual({
      id: deadLetterOf(2).id,
      topic: 'trust.run',
      subject: null,
      attempts: 8,
      reason: { code: 'internal', detail: 'failed 8 times, last by an unexpected TypeError' },
      created_at: '2026-11-20T08:59:59.000000Z',
      failed_at: '2026-11-20T09:00:02.000000Z',
    });
  });

  it('shows each once, whether the list goes on by pages or by cursor', async () => {
    const stage = await withLetters(7);
    const all = (await list(stage)).items.map(({ id }) => id);
    const paged = [];
    for (const page of [1, 2, 3]) paged.push(...(await list(stage, { size: '3', page: String(page) })).items);
    expect(paged.map(({ id }) => id)).toEqual(all);
    const followed = [];
    let cursor: string | null = null;
    for (let page = 1; page === 1 || cursor !== null; page++) {
      const found = await list(stage, { size: '3', ...(cursor === null ? {} : { cursor }) });
      expect(found.page).toBe(page);
      followed.push(...found.items);
      cursor = found.next_cursor;
    }
    expect(followed.map(({ id }) => id)).toEqual(all);
  });

  it('shows nothing that was replayed', async () => {
    const stage = await withLetters(2);
    await stage.call('POST', `${PATH}/${deadLetterOf(1).id}/replay`, { as: stage.manager });
    expect((await list(stage)).items.map(({ id }) => id)).toEqual([deadLetterOf(2).id]);
  });
});
