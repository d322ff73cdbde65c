import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { formatUrl, serviceDatabase } from './data-dir.ts';
import { EmbeddedPostgresError, findErrorCode } from './embedded-postgres-error.ts';
import { START_ID } from './server-settings.ts';
import type { StartedServer } from './start-server.ts';

// Replaying the write-ahead log after a crash comes before the first connection, and may be 2 GB.
const deadlineMs = 300_000;
const WRONG_PASSWORD = '28P01';
const startingCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P03']);

/** Thrown when another program took the port between the look at it and the start. */
export class PortTakenError extends Error {}

/** Where a server listens, and what it and nobody else knows of itself. */
type Place = { readonly port: number; readonly password: string; readonly startId: string };

/** Another server answered. */
class ForeignServerError extends Error {}

/** Resolves when the server accepts connections to the service's database, which is created where it is missing. */
export async function connectWhenReady(server: StartedServer, place: Place): Promise<void> {
  let exit: string | undefined;
  void server.exited.then(({ code, signal }) => (exit = signal ?? `code ${code}`));
  const deadline = performance.now() + deadlineMs;
  while (performance.now() < deadline) {
    if (exit !== undefined) {
      const tail = server.logTail();
      if (tail.includes('Address already in use')) throw new PortTakenError();
      throw new EmbeddedPostgresError('start_failed', `postgres exited with ${exit} before it was ready:\n${tail}`);
    }
    try {
      await ensureDatabase(place);
      return;
    } catch (error) {
      // Without its port the server ends in a moment, and it was another one that answered: its exit tells.
      const starting = error instanceof ForeignServerError || startingCodes.has(findErrorCode(error) ?? '');
      await Promise.race([server.exited, delay(starting ? 10 : 1_000)]);
      if (!starting && exit === undefined) {
        if (findErrorCode(error) === WRONG_PASSWORD)
          throw new EmbeddedPostgresError('password_missing', 'the file `password` belongs to another database', {
            cause: error,
          });
        const reason = error instanceof Error ? error.message : String(error);
        throw new EmbeddedPostgresError('start_failed', `postgres rejects its own superuser: ${reason}`, {
          cause: error,
        });
      }
    }
  }
  throw new EmbeddedPostgresError('start_failed', `postgres was not ready in time:\n${server.logTail()}`);
}

async function ensureDatabase(place: Place): Promise<void> {
  try {
    await query(place, serviceDatabase);
  } catch (error) {
    if (findErrorCode(error) !== '3D000') throw error;
    await query(place, 'postgres', `create database ${serviceDatabase}`);
  }
}

/** Asks a database for `sql`, but only if it is the server's own: that of a copy of its folder has its password. */
async function query({ port, password, startId }: Place, database: string, sql?: string): Promise<void> {
  const client = new Client({ connectionString: formatUrl(port, password, database) });
  // A connection that breaks while it is idle must not end the process; its next use reports it.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ id: string | null }>(`select current_setting('${START_ID}', true) as id`);
    if (rows[0]?.id !== startId) throw new ForeignServerError('another server listens at the port');
    if (sql !== undefined) await client.query(sql);
  } finally {
    await client.end();
  }
}
