import { ServiceError } from '@answer-evidence/contracts';
import type { Workspace } from '@answer-evidence/ports';
import type { WorkspaceDeps } from '../deps.ts';

/**
 * The workspace that somebody signs in to: the host's, else the one that they name, else the only one there is.
 * Undefined when there is none of that name, or another than the host's. Throws `schema_violation` when nothing says
 * which one.
 */
export async function findLoginWorkspace(
  deps: Pick<WorkspaceDeps, 'directory' | 'workspaceOfHost'>,
  host: string | undefined,
  named: string | undefined,
): Promise<Workspace | undefined> {
  const hosted = await deps.workspaceOfHost?.(host);
  if (hosted !== undefined)
    return named === undefined || named === hosted.slug ? deps.directory.findBySlug(hosted.slug) : undefined;
  if (named !== undefined) return deps.directory.findBySlug(named);
  const [only, another] = await deps.directory.list();
  if (only !== undefined && another === undefined) return only;
  throw new ServiceError('schema_violation', 'this host serves more than one workspace; set workspace to yours', {
    errors: [{ pointer: '/workspace', detail: 'is required' }],
  });
}
