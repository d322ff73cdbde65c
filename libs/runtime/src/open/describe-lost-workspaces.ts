import { HeadError, type HeadStore } from '@answer-evidence/ports';

type Stored = { readonly id: string };

/**
 * A sentence for each workspace of which heads are kept, that nobody has said to be forgotten, and that the database
 * does not have. Workspaces are never removed, so the database is older than their heads, or somebody has deleted their
 * rows. Nothing can be signed under their names any more, so this refuses no start.
 */
export async function describeLostWorkspaces(
  headStore: HeadStore,
  stored: readonly Stored[],
): Promise<readonly string[]> {
  try {
    const lost: string[] = [];
    for (const id of await listLostWorkspaces(headStore, stored))
      if (!(await headStore.isForgotten(id)))
        lost.push(
          `heads of the workspace ${id} are kept in ${headStore.place}, but the database has no such workspace; ` +
            `"npm run operator -- heads-forget --workspace ${id}" says what can be done`,
        );
    return lost;
  } catch (error) {
    if (!(error instanceof HeadError)) throw error;
    return [`the workspaces of which heads are kept cannot be listed: ${error.message}`];
  }
}

/** Every name of each log whose workspace the database does not have: somebody may hold signed trees of it. */
export async function findLostOrigins(headStore: HeadStore, stored: readonly Stored[]): Promise<readonly string[]> {
  const origins: string[] = [];
  for (const id of await listLostWorkspaces(headStore, stored)) {
    const kept = await headStore.find(id);
    if (kept !== undefined) origins.push(kept.origin, ...(await headStore.findEnded(id)));
  }
  return origins;
}

async function listLostWorkspaces(headStore: HeadStore, stored: readonly Stored[]): Promise<readonly string[]> {
  const known = new Set(stored.map(({ id }) => id));
  return (await headStore.workspaceIds()).filter((id) => !known.has(id));
}
