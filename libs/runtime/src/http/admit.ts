import type { IncomingMessage } from 'node:http';
import { assertAllowed, type Caller } from '@answer-evidence/access';
import { ServiceError } from '@answer-evidence/contracts';
import type { Route, WorkspaceDirectory } from '@answer-evidence/ports';
import type { Authenticator } from '../auth/authenticator.ts';
import type { HostPolicy } from './host-policy.ts';

/** What deciding about a caller needs. */
export type Gate = {
  readonly authenticator: Authenticator;
  readonly hosts: HostPolicy;
  readonly directory: Pick<WorkspaceDirectory, 'findBySlug'>;
};

/**
 * The caller of a route, or null on a public one. Throws `unauthenticated`, then `not_found` for a host of no workspace,
 * `workspace_not_allowed` for a token of another workspace than the host's, and what the access matrix refuses with.
 */
export async function admit(gate: Gate, route: Route, req: IncomingMessage): Promise<Caller | null> {
  const { authorization, host } = req.headers;
  if (route.access === 'public') {
    if (gate.hosts.selects) await assertHost(gate, host, null);
    return null;
  }
  const caller = await gate.authenticator.authenticate(authorization);
  if (caller === undefined) throw new ServiceError('unauthenticated', 'a valid bearer token is needed');
  if (gate.hosts.selects) await assertHost(gate, host, caller);
  assertAllowed(caller, route.access);
  return caller;
}

async function assertHost(gate: Gate, host: string | undefined, caller: Caller | null): Promise<void> {
  const slug = gate.hosts.workspaceOf(host);
  const workspace = slug === undefined ? undefined : await gate.directory.findBySlug(slug);
  if (workspace === undefined) throw new ServiceError('not_found', 'no workspace has this host');
  if (caller !== null && caller.workspaceId !== workspace.id) {
    throw new ServiceError('workspace_not_allowed', 'the token belongs to another workspace than this host');
  }
}
