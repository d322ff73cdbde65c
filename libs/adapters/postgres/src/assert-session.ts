import type pg from 'pg';
import { DatabaseSetupError } from './database-setup-error.ts';
import type { ServiceRole } from './logins.ts';

/** Whose rights a connection has: the owner's, or those of one of the service's roles. */
export type DatabaseRole = ServiceRole | 'owner';

const POOLER =
  'something between the service and PostgreSQL changes connections, such as a pooler (PgBouncer), or the role has ' +
  'settings of its own; let DATABASE_URL lead to PostgreSQL itself';

/**
 * Throws `DatabaseSetupError` unless a new connection has the settings that it asked for and, except for the owner's,
 * no rights but those of its role: nothing that the owner may, and no view past row-level security.
 */
export async function assertSession(
  client: pg.ClientBase,
  settings: Readonly<Record<string, string>>,
  role: DatabaseRole,
): Promise<void> {
  const { rows } = await client.query<{ name: string; value: string }>(
    'select name, current_setting(name) as value from unnest($1::text[]) name',
    [Object.keys(settings)],
  );
  for (const { name, value } of rows)
    if (value !== settings[name])
      throw new DatabaseSetupError(`gives connections ${name} "${value}", not "${settings[name] ?? ''}": ${POOLER}`);
  if (role !== 'owner') await assertRole(client, role);
}

async function assertRole(client: pg.ClientBase, role: ServiceRole): Promise<void> {
  const { rows } = await client.query<{
    login: string;
    current: string;
    is_expected: boolean;
    is_member: boolean;
    is_powerful: boolean;
    is_fenced: boolean;
  }>(
    `select l.rolname as login, current_user as current, l.rolname = $1 || '_' || d.oid as is_expected,
       pg_has_role(l.oid, $1, 'usage') as is_member,
       l.rolsuper or l.rolbypassrls or l.rolcreaterole or l.rolreplication
         or pg_has_role(l.oid, n.nspowner, 'member') as is_powerful,
       row_security_active(c.oid) as is_fenced
     from pg_roles l, pg_database d, pg_namespace n join pg_class c on c.relnamespace = n.oid and c.relname = 'outbox'
     where l.rolname = session_user and d.datname = current_database() and n.nspname = 'answer_evidence'`,
    [role],
  );
  const [row] = rows;
  if (row === undefined || !row.is_expected || row.current !== row.login)
    throw new DatabaseSetupError(`makes the service's login another user "${row?.current ?? ''}": ${POOLER}`);
  if (!row.is_member)
    throw new DatabaseSetupError(
      `has no membership of "${row.login}" in ${role}; run: grant ${role} to "${row.login}"`,
    );
  if (row.is_powerful || !row.is_fenced)
    throw new DatabaseSetupError(
      `gives "${row.login}" more rights than those of ${role}; revoke its other roles, and its attributes SUPERUSER, ` +
        'BYPASSRLS, CREATEROLE and REPLICATION',
    );
}

/**
 * Throws `DatabaseSetupError` where a connection does not stay on one session of the server. A pooler between
 * transactions may pass every look at one connection: it takes two to see it.
 */
export async function assertSessionsStay(pool: pg.Pool): Promise<void> {
  const taken = await Promise.allSettled([pool.connect(), pool.connect()]);
  const [one, other] = taken.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  if (one === undefined || other === undefined) {
    // Given back, or the end of the pool would wait for it for ever.
    one?.release(true);
    throw taken.find((result) => result.status === 'rejected')?.reason;
  }
  let stays = false;
  try {
    // The first session is taken while the other connection is given one, and free again when it is asked once more.
    await one.query('begin');
    const before = await readPid(other);
    await one.query('commit');
    for (let look = 0; look < 3; look++)
      if ((await readPid(other)) !== before)
        throw new DatabaseSetupError(`gives one connection several sessions in turn: ${POOLER}`);
    stays = true;
  } finally {
    // What the caller asks next needs no connection more.
    for (const client of [one, other]) client.release(!stays);
  }
}

async function readPid(client: pg.ClientBase): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}
