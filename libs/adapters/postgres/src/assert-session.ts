import type pg from 'pg';
import { DatabaseSetupError } from './database-setup-error.ts';
import type { ServiceRole } from './logins.ts';
import { markSpread } from './workspace-setting.ts';

/** Whose rights a connection has: the owner's, or those of one of the service's roles. */
export type DatabaseRole = ServiceRole | 'owner';

/** Settings of a session of PostgreSQL by name, each with the text that the server shows for it. */
export type SessionSettings = Readonly<Record<string, string>>;

const POOLER =
  'something between the service and PostgreSQL changes connections, such as a pooler (PgBouncer), or the role has ' +
  'settings of its own; let DATABASE_URL lead to PostgreSQL itself';

/** What a connection is judged by. */
type WantedSettings = {
  /** What it has asked for. */
  readonly settings: SessionSettings;
  /** What is set now, on the versions that know it. */
  readonly whereKnown: SessionSettings;
  /** What it may not ask for, and has to have. */
  readonly refused: SessionSettings;
};

/**
 * Throws `DatabaseSetupError` unless a new connection has the settings that it asked for and, except for the owner's,
 * no rights but those of its role: nothing that the owner may, and no view past row-level security. Marks it where the
 * database has Citus.
 */
export async function assertSession(
  client: pg.ClientBase,
  { settings, whereKnown, refused }: WantedSettings,
  role: DatabaseRole,
): Promise<void> {
  const names = [...Object.keys(settings), ...Object.keys(refused)];
  const asked = [names, Object.keys(whereKnown), Object.values(whereKnown)];
  const { rows } =
    role === 'owner'
      ? await client.query<Session>(`select ${SHOWN}`, asked)
      : await client.query<Session>(`select ${SHOWN}, ${LOGIN}`, [...asked, role]);
  const [row] = rows;
  if (row === undefined) throw new DatabaseSetupError(`lacks the schema that its migrations make: ${POOLER}`);
  for (const [index, name] of names.entries()) {
    const value = row.values[index] ?? '';
    const wanted = settings[name] ?? refused[name] ?? '';
    if (value !== wanted)
      throw new DatabaseSetupError(
        `gives connections ${name} "${value}", not "${wanted}": ${name in settings ? POOLER : adviceOn(name, row)}`,
      );
  }
  if (role !== 'owner') assertLogin(row, role);
  markSpread(client, row.is_spread);
}

/** What takes back a setting that an administrator has made, wherever it was made. */
function adviceOn(name: string, { login, database }: Pick<Session, 'login' | 'database'>): string {
  return (
    `run: alter database "${database}" reset ${name}; alter role "${login}" reset ${name}; ` +
    `alter role "${login}" in database "${database}" reset ${name}; or correct it in the settings of the server`
  );
}

function assertLogin(row: Session, role: ServiceRole): void {
  if (row.is_expected !== true || row.current === undefined || row.current !== row.login)
    throw new DatabaseSetupError(`makes the service's login another user "${row.current ?? ''}": ${POOLER}`);
  if (row.is_member !== true)
    throw new DatabaseSetupError(
      `has no membership of "${row.current}" in ${role}; run: grant ${role} to "${row.current}"`,
    );
  if (row.is_powerful !== false || row.is_fenced !== true)
    throw new DatabaseSetupError(
      `gives "${row.current}" more rights than those of ${role}; revoke its other roles, and its attributes SUPERUSER, ` +
        'BYPASSRLS, CREATEROLE and REPLICATION',
    );
}

/** What was asked of a session; of the owner's, only its settings are. */
type Session = {
  readonly values: readonly (string | null)[];
  readonly login: string;
  readonly database: string;
  readonly is_spread: boolean;
  readonly current?: string;
  readonly is_expected?: boolean;
  readonly is_member?: boolean;
  readonly is_powerful?: boolean;
  readonly is_fenced?: boolean;
};

/** The settings, in the order of their names, and whose they are. Those of the versions that know them are set. */
const SHOWN = `
  (select array_agg(current_setting(name, true) order by place)
     from unnest($1::text[]) with ordinality as wanted (name, place)) as values,
  (select array_agg(set_config(name, value, false)) from unnest($2::text[], $3::text[]) as known (name, value)
     where current_setting(name, true) is not null) as set,
  session_user as login, current_database() as database,
  to_regclass('pg_catalog.pg_dist_partition') is not null as is_spread`;

/**
 * What a login is and may. Every connection asks this first, with nothing of the catalogue in its memory, which makes a
 * join dear.
 */
const LOGIN = `
  current_user as current,
  session_user = $4::text || '_' || (select oid from pg_database where datname = current_database()) as is_expected,
  pg_has_role(session_user, $4::text, 'usage') as is_member,
  (select rolsuper or rolbypassrls or rolcreaterole or rolreplication from pg_roles where rolname = session_user)
    or pg_has_role(session_user, n.nspowner, 'member') as is_powerful,
  row_security_active((select oid from pg_class where relname = 'outbox' and relnamespace = n.oid)) as is_fenced
  from pg_namespace n where nspname = 'answer_evidence'`;

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

/**
 * Throws `DatabaseSetupError` where the transactions of a login begin read-only. Asked at a start alone: a server whose
 * disk is full may be set so while it runs, and is still read then.
 */
export async function assertWrites(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<Pick<Session, 'login' | 'database'> & { isReadOnly: boolean }>(
    `select current_setting('${READ_ONLY}') = 'on' as "isReadOnly", session_user as login,
       current_database() as database`,
  );
  const [row] = rows;
  if (row?.isReadOnly === true)
    throw new DatabaseSetupError(`makes transactions of "${row.login}" read-only: ${adviceOn(READ_ONLY, row)}`);
}

const READ_ONLY = 'default_transaction_read_only';

async function readPid(client: pg.ClientBase): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}
