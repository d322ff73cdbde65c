import pg from 'pg';
import type { SessionSettings } from './assert-session.ts';
import { sessionOf } from './session-settings.ts';

const CONNECT_MS_MAX = 5_000;

/**
 * One connection with the rights of the owner, for a change that takes as long as it takes: without limits of time but
 * those of `own`. Throws `DatabaseSetupError` where it does not have the settings of the service. The caller ends it.
 */
export async function openOwnerClient(
  url: string,
  { own = {}, ...config }: Pick<pg.ClientConfig, 'application_name' | 'types'> & { readonly own?: SessionSettings },
): Promise<pg.Client> {
  const { assert, ...session } = sessionOf(url, 'owner', own);
  const client = new pg.Client({ ...config, ...session, connectionTimeoutMillis: CONNECT_MS_MAX });
  // A broken connection also rejects the running query; this keeps it from ending the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await assert(client);
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}
