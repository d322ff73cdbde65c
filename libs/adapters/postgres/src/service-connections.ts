import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { openOwnerClient } from './open-owner-client.ts';

/** How many connections processes of the service have to the database, as far as the role of the URL may see. */
export async function countServiceConnections(url: string): Promise<number> {
  const client = await openOwnerClient(url, { application_name: 'answer-evidence-operator' });
  try {
    return await countConnections(client);
  } finally {
    await client.end();
  }
}

/** The same over a connection that is open. */
export async function countConnections(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ connected: number }>(
    `select count(*)::int as connected from pg_stat_activity
       where datname = current_database() and application_name = 'answer-evidence'`,
  );
  return rows[0]?.connected ?? 0;
}

/** How long the server may take to end the connections of a process that has ended. */
const ENDING_MS = 2_000;
const POLL_MS = 50;

/** Waits until none is there, but not for ever: the server still counts those of a process that stopped just now. */
export async function letConnectionsEnd(client: pg.ClientBase): Promise<void> {
  const until = performance.now() + ENDING_MS;
  while ((await countConnections(client)) > 0 && performance.now() < until) await setTimeout(POLL_MS);
}
