import { HeadError, type HeadStore } from '@answer-evidence/ports';

/**
 * A sentence for each workspace of which heads are kept and that the database does not have. Workspaces are never
 * removed, so the database is older than their heads, or somebody has deleted their rows. Nothing can be signed under
 * their names any more, so this refuses no start.
 */
export async function describeLostWorkspaces(
  headStore: HeadStore,
  stored: readonly { readonly id: string }[],
): Promise<readonly string[]> {
  const known = new Set(stored.map(({ id }) => id));
  try {
    return (await headStore.workspaceIds())
      .filter((id) => !known.has(id))
      .map(
        (id) => `heads of the workspace ${id} are kept in ${headStore.place}, but the database has no such workspace`,
      );
  } catch (error) {
    if (!(error instanceof HeadError)) throw error;
    return [`the workspaces of which heads are kept cannot be listed: ${error.message}`];
  }
}
