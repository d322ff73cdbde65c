import type { Caller } from '@answer-evidence/access';
import { ServiceError } from '@answer-evidence/contracts';

const PLACEHOLDER = '{workspace}';
const STAND_IN = 'workspace';
const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The workspaces that hosts may select; a `WorkspaceDirectory` is one. */
type HostedWorkspaces = { findBySlug(slug: string): Promise<{ readonly id: string } | undefined> };

/** Which workspace a `Host` header selects. */
export interface HostPolicy {
  /** The slug that the host names, or undefined when hosts select nothing here or this one is not of our form. */
  findSlug(host: string | undefined): string | undefined;
  /** Throws `not_found`, or `workspace_not_allowed` for a foreign token; undefined where hosts select nothing. */
  assertHost(host: string | undefined, caller: Caller | null): Promise<void> | undefined;
}

/**
 * The policy of a base URL: `https://{workspace}.example.com` gives every workspace a host of its own; a URL without
 * the placeholder lets every host pass, and the token decides. Ports are not compared: a proxy may listen on another
 * one. Throws when the URL is not one, or has the placeholder elsewhere.
 */
export function createHostPolicy(baseUrl: string, workspaces: HostedWorkspaces): HostPolicy {
  const url = new URL(baseUrl.replace(PLACEHOLDER, STAND_IN));
  const at = baseUrl.indexOf(PLACEHOLDER);
  if (at < 0) return { findSlug: () => undefined, assertHost: () => undefined };
  if (at !== url.protocol.length + '//'.length || baseUrl.includes(PLACEHOLDER, at + 1)) {
    throw new Error(`a base URL may contain ${PLACEHOLDER} once, at the start of its host`);
  }
  const suffix = url.hostname.slice(STAND_IN.length);

  function findSlug(host: string | undefined): string | undefined {
    const name = host?.split(':', 1)[0]?.toLowerCase();
    if (name === undefined || !name.endsWith(suffix)) return undefined;
    const slug = name.slice(0, name.length - suffix.length);
    return SLUG.test(slug) ? slug : undefined;
  }

  return {
    findSlug,
    async assertHost(host, caller) {
      const slug = findSlug(host);
      const workspace = slug === undefined ? undefined : await workspaces.findBySlug(slug);
      if (workspace === undefined)
        throw new ServiceError('not_found', 'no workspace uses this host; check the host name of the URL');
      if (caller !== null && caller.workspaceId !== workspace.id) {
        throw new ServiceError(
          'workspace_not_allowed',
          "the token belongs to another workspace; use that workspace's host",
        );
      }
    },
  };
}
