import pg from 'pg';
import { DatabaseSetupError } from './database-setup-error.ts';
import { sqlState } from './failures.ts';
import { createScramVerifier } from './scram-verifier.ts';

/** What connections of the service may do. Both roles belong to the whole server and cannot log in. */
export const SERVICE_ROLES = ['answer_evidence_app', 'answer_evidence_relay'] as const;
export type ServiceRole = (typeof SERVICE_ROLES)[number];

/** The URLs with which the service logs in: for each role, that of a member which owns nothing. */
export type ServiceUrls = Readonly<Record<ServiceRole, string>>;

/** The password of a login; the same for every process of the installation. */
type PasswordOf = (login: string) => string;

const LOCK_KEY = 4_171_930_020;
const LOCK_WAIT = '60s';
const NOT_PERMITTED = '42501';
/** Roles belong to the server, and the lock to a database: services of two databases may meet. */
const DEADLOCK = '40P01';
const ATTEMPTS_MAX = 5;

/** Logs in as the member of a role; rejects with what the server says where it refuses that. */
type LogIn = (role: ServiceRole) => Promise<unknown>;

/** The URLs of the service's logins, made or not. */
export async function readServiceUrls(ownerUrl: string, owner: pg.Pool, passwordOf: PasswordOf): Promise<ServiceUrls> {
  return urlsOf(ownerUrl, await readLogins(owner), passwordOf);
}

/**
 * Logs in as the members of the service's roles, which are made where they are missing. Their names end in the oid of
 * the database, since roles belong to the server and databases do not share passwords. Throws `DatabaseSetupError` with
 * the statements for an administrator where the owner may not make roles. `logIn` may keep its connection: it is asked
 * where roles and rights are as they should be, so that the password alone can be wrong.
 */
export async function openLogins(
  ownerUrl: string,
  owner: pg.Pool,
  passwordOf: PasswordOf,
  logIn?: LogIn,
): Promise<ServiceUrls> {
  const logins = await readLogins(owner);
  const urls = urlsOf(ownerUrl, logins, passwordOf);
  if (logIn !== undefined && (await areAllMade(logins, logIn))) return urls;
  const isTried = await makeRoles(ownerUrl, owner, passwordOf);
  for (const { role, login } of isTried ? [] : await readLogins(owner))
    if (!(await (logIn === undefined ? canLogIn(urls[role]) : isAccepted(() => logIn(role)))))
      throw new DatabaseSetupError(
        `rejects the service's own login "${login}"; allow it in pg_hba.conf with the method scram-sha-256`,
      );
  return urls;
}

function urlsOf(ownerUrl: string, logins: readonly Login[], passwordOf: PasswordOf): ServiceUrls {
  return Object.fromEntries(
    logins.map(({ role, login, database }) => [role, urlOf(ownerUrl, database, login, passwordOf)]),
  ) as ServiceUrls;
}

/** One after another, and none where a role or a right is missing. */
async function areAllMade(logins: readonly Login[], logIn: LogIn): Promise<boolean> {
  if (!logins.every(({ may_log_in, is_member }) => may_log_in && is_member)) return false;
  for (const { role } of logins) if (!(await isAccepted(() => logIn(role)))) return false;
  return true;
}

/**
 * Makes the roles that are missing, again where another database of the server was making its own. True where nothing
 * was missing, so that each login has just been tried.
 */
async function makeRoles(ownerUrl: string, owner: pg.Pool, passwordOf: PasswordOf): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryToMakeRoles(ownerUrl, owner, passwordOf);
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || sqlState(error) !== DEADLOCK) throw error;
    }
  }
}

async function tryToMakeRoles(ownerUrl: string, owner: pg.Pool, passwordOf: PasswordOf): Promise<boolean> {
  // Nearly always: who has nothing to make waits for nobody.
  if ((await planRoles(ownerUrl, owner, passwordOf)).length === 0) return true;
  const client = await owner.connect();
  try {
    await client.query('begin');
    // Several processes start together; the second one finds what the first has made. Each looks by logging in, so
    // that the last of many waits longer than any other lock may be waited for.
    await client.query(`set local lock_timeout = '${LOCK_WAIT}'; set local statement_timeout = '${LOCK_WAIT}'`);
    await client.query('select pg_advisory_xact_lock($1)', [LOCK_KEY]);
    const statements = await planRoles(ownerUrl, client, passwordOf);
    for (const statement of statements)
      await client.query(statement).catch((error: unknown) => {
        throw sqlState(error) === NOT_PERMITTED ? rolesNeeded(statements, error) : error;
      });
    await client.query('commit');
    return false;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

/**
 * The error that a migration throws which the owner may not run because roles are missing; undefined when that is not
 * the reason.
 */
export async function explainMissingRoles(
  ownerUrl: string,
  owner: pg.Pool,
  passwordOf: PasswordOf,
): Promise<DatabaseSetupError | undefined> {
  const missing = (await readLogins(owner)).some(({ has_role }) => !has_role);
  return missing ? rolesNeeded(await planRoles(ownerUrl, owner, passwordOf)) : undefined;
}

/** What the service's logins lack, as the statements that a start runs or an administrator has to. Changes nothing. */
export async function planLogins(
  ownerUrl: string,
  owner: pg.Pool,
  passwordOf: PasswordOf,
): Promise<{ readonly statements: readonly string[]; readonly mayMakeRoles: boolean }> {
  const { rows } = await owner.query<{ may: boolean }>(
    'select rolsuper or rolcreaterole as may from pg_roles where rolname = current_user',
  );
  return { statements: await planRoles(ownerUrl, owner, passwordOf), mayMakeRoles: rows[0]?.may === true };
}

function rolesNeeded(statements: readonly string[], cause?: unknown): DatabaseSetupError {
  return new DatabaseSetupError(
    `lacks roles of the service that the user of DATABASE_URL may not make; have an administrator run this, ` +
      `then start again: ${statements.map((statement) => `${statement};`).join(' ')}`,
    { cause },
  );
}

type Login = {
  readonly role: ServiceRole;
  readonly login: string;
  readonly database: string;
  readonly has_role: boolean;
  readonly is_made: boolean;
  readonly may_log_in: boolean;
  readonly is_member: boolean;
};

async function readLogins(owner: pg.Pool | pg.PoolClient): Promise<readonly Login[]> {
  const { rows } = await owner.query<Login>(
    `select wanted.*, r.oid is not null as has_role, l.oid is not null as is_made,
       coalesce(l.rolcanlogin, false) as may_log_in, coalesce(pg_has_role(l.oid, r.oid, 'usage'), false) as is_member
       from (select role, role || '_' || d.oid as login, d.datname as database from unnest($1::text[]) role, pg_database d
               where d.datname = current_database()) wanted
         left join pg_roles r on r.rolname = wanted.role
         left join pg_roles l on l.rolname = wanted.login
       order by wanted.role`,
    [SERVICE_ROLES],
  );
  return rows;
}

/** The statements that are missing until the service can log in. */
async function planRoles(
  ownerUrl: string,
  owner: pg.Pool | pg.PoolClient,
  passwordOf: PasswordOf,
): Promise<readonly string[]> {
  const statements: string[] = [];
  for (const { role, login, database, has_role, is_made, may_log_in, is_member } of await readLogins(owner)) {
    if (!has_role) statements.push(`create role ${role} nologin`);
    // Deriving it takes milliseconds, and nearly always nothing is missing.
    const secretOf = () => `login password '${createScramVerifier(passwordOf(login))}'`;
    if (!is_made) statements.push(`create role ${login} ${secretOf()} in role ${role}`);
    else {
      // Another password is that of a master key from before.
      if (!may_log_in || !(await canLogIn(urlOf(ownerUrl, database, login, passwordOf))))
        statements.push(`alter role ${login} ${secretOf()}`);
      if (!is_member) statements.push(`grant ${role} to ${login}`);
    }
  }
  return statements;
}

function urlOf(ownerUrl: string, database: string, login: string, passwordOf: PasswordOf): string {
  const url = new URL(ownerUrl);
  // A URL without a database means the one that is named like its user.
  url.pathname = `/${encodeURIComponent(database)}`;
  url.username = '';
  url.password = '';
  // Parameters win over what stands before the host, and there may be none: the URL of a socket has no host.
  url.searchParams.set('user', login);
  url.searchParams.set('password', passwordOf(login));
  return url.href;
}

/** Whether the server accepts the login; throws when it cannot tell. */
async function canLogIn(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  // A broken connection also rejects the login; this keeps it from ending the process.
  client.on('error', () => undefined);
  try {
    return await isAccepted(() => client.connect());
  } finally {
    await client.end();
  }
}

async function isAccepted(logIn: () => Promise<unknown>): Promise<boolean> {
  try {
    await logIn();
    return true;
  } catch (error) {
    if (sqlState(error)?.startsWith('28') === true) return false;
    throw error;
  }
}
