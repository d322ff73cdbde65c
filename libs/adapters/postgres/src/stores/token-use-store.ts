import type pg from 'pg';
import type { TokenUse, TokenUseStore } from '@answer-evidence/ports';
import { writeRows } from '../session.ts';

/** Keeps the last uses of tokens, one transaction for each workspace. */
export function createTokenUseStore(pool: pg.Pool): TokenUseStore {
  return {
    async record(uses) {
      for (const [workspaceId, ofWorkspace] of Map.groupBy(uses, (use) => use.workspaceId))
        await recordUses(pool, workspaceId, ofWorkspace);
    },
  };
}

async function recordUses(pool: pg.Pool, workspaceId: string, uses: readonly TokenUse[]): Promise<void> {
  // In one order in every process, so that two of them cannot wait for each other's rows.
  const sorted = uses.toSorted((a, b) => (a.tokenId < b.tokenId ? -1 : 1));
  await writeRows(
    pool,
    '',
    `insert into answer_evidence.token_uses as known (workspace_id, token_id, last_used_at)
       select $1, used.token_id, used.at from unnest($2::uuid[], $3::bigint[]) as used (token_id, at)
       on conflict (workspace_id, token_id) do update set last_used_at = greatest(known.last_used_at, excluded.last_used_at)`,
    [workspaceId, sorted.map(({ tokenId }) => tokenId), sorted.map(({ usedAt }) => usedAt)],
  );
}
