import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openPostgresWorkspace, type PostgresWorkspace } from '@answer-evidence/testing';
import { createTokenUseStore } from '../index.ts';

const A = '0199f3c2-0000-7000-8000-00000000000a';
const B = '0199f3c2-0000-7000-8000-00000000000b';

let workspace: PostgresWorkspace;
beforeAll(async () => {
  workspace = await openPostgresWorkspace();
});
afterAll(() => workspace.close());

async function kept(): Promise<Record<string, number>> {
  const client = await workspace.pool.connect();
  try {
    await client.query('begin');
    await client.query(`select set_config('answer_evidence.workspace_id', $1, true)`, [workspace.workspace.id]);
    const { rows } = await client.query<{ token_id: string; last_used_at: number }>(
      'select token_id, last_used_at from answer_evidence.token_uses',
    );
    return Object.fromEntries(rows.map((row) => [row.token_id, row.last_used_at]));
  } finally {
    await client.query('rollback');
    client.release();
  }
}

describe('the last uses of tokens', () => {
  it('only ever move on, whichever process writes last', async () => {
    const store = createTokenUseStore(workspace.pool);
    const { id: workspaceId } = workspace.workspace;
    await store.record([]);
    await store.record([
      { workspaceId, tokenId: B, usedAt: 5 },
      { workspaceId, tokenId: A, usedAt: 5 },
    ]);
    await Promise.all([
      store.record([
        { workspaceId, tokenId: A, usedAt: 9 },
        { workspaceId, tokenId: B, usedAt: 3 },
      ]),
      store.record([
        { workspaceId, tokenId: B, usedAt: 4 },
        { workspaceId, tokenId: A, usedAt: 7 },
      ]),
    ]);
    expect(await kept()).toEqual({ [A]: 9, [B]: 5 });
  });
});
