import { type HostDescription, SERVICE_VERSION } from '@answer-evidence/contracts';
import { describeHost } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { WorkspaceDeps } from '../../deps.ts';

/**
 * `GET /.well-known/answer-evidence`: what a host is, for a client that is about to send it a token. In no stage: every
 * process of the host serves it.
 */
export function describeHostRoute(deps: Pick<WorkspaceDeps, 'workspaceOfHost'>): Route {
  return defineRoute({
    ...describeHost,
    async handle(request) {
      const workspace = await deps.workspaceOfHost?.(request.header('host'));
      const body: HostDescription = {
        kind: 'workspace-api',
        version: SERVICE_VERSION,
        workspace: workspace === undefined ? null : { slug: workspace.slug, display_name: workspace.displayName },
        device_login: true,
      };
      return { status: 200, body };
    },
  });
}
