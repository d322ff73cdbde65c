import { ApiError, type Client, createClient } from '@answer-evidence/client';
import type { HostDescription } from '@answer-evidence/contracts';
import { resolveConnection } from './config.ts';
import type { Io } from './io.ts';
import { UsageError } from './usage-error.ts';

/**
 * A client of the configured host. The host is asked, without the token, what it is: the token is for a workspace API
 * host, never for the session proxy that browsers use, nor for whatever else answers at an address with a typing error.
 * `keepSecret` is told the token before anything can fail with it.
 */
export async function connect(
  io: Io,
  registryOption: string | undefined,
  keepSecret: (token: string) => void,
): Promise<Client> {
  const { registry, token, savedSlug } = await resolveConnection(io, registryOption);
  keepSecret(token);
  const wait = io.wait === undefined ? {} : { wait: io.wait };
  const client = createClient({ registry, token, fetch: io.fetch, ...wait });

  const host = await assertWorkspaceApi(client, registry);
  if (savedSlug !== undefined && host.workspace !== null && host.workspace.slug !== savedSlug) {
    throw new UsageError(
      `${registry} is the host of workspace ${host.workspace.slug}, but the saved token belongs to workspace ${savedSlug}: sign in again or change the registry`,
    );
  }
  return client;
}

/** A client without a token, for signing in and setting a password. It first asks the host what it is. */
export async function connectOpenly(io: Io, registry: string): Promise<Client> {
  const wait = io.wait === undefined ? {} : { wait: io.wait };
  const client = createClient({ registry, fetch: io.fetch, ...wait });
  await assertWorkspaceApi(client, registry);
  return client;
}

/** The host's description. Throws `UsageError` unless it is a workspace API host: no other gets a token or password. */
export async function assertWorkspaceApi(client: Client, registry: string): Promise<HostDescription> {
  const host = await describeHost(client, registry);
  if (host.kind === 'browser-session-proxy') {
    throw new UsageError(`${registry} is a browser session proxy: the registry must be the workspace API host`);
  }
  return host;
}

async function describeHost(client: Client, registry: string): Promise<HostDescription> {
  try {
    return await client.describeHost();
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) {
      throw new UsageError(
        `${registry} does not identify itself as a workspace API host of the Answer Evidence Service; check the registry URL`,
      );
    }
    throw error;
  }
}
