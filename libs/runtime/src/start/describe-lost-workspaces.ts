import { HeadError, type HeadStore } from '@answer-evidence/ports';

/**
 * A sentence for each workspace of which heads are kept, that nobody has said to be forgotten, and that the database
 * does not have. Workspaces are never
 * removed, so the database is older than their heads, or somebody has deleted their rows. Nothing can be signed under
 * their names any more, so this refuses no start.
 */
export async function describeLostWorkspaces(
  headStore: HeadStore,
  stored: readonly { readonly id: string }[],
): Promise<readonly string[]> {
  const known = new Set(stored.map(({ id }) => id));
  try {
    const lost: string[] = [];
    for (const id of await headStore.workspaceIds())
      if (!known.has(id) && !(await headStore.isForgotten(id)))
        lost.push(
          `heads of the workspace ${id} are kept in ${headStore.place}, but the database has no such workspace; ` +
            `"npm run heads:forget -- --workspace ${id}" says what can be done`,
        );
    return lost;
  } catch (error) {
    if (!(error instanceof HeadError)) throw error;
    return [`the workspaces of which heads are kept cannot be listed: ${error.message}`];
  }
}
