import type pg from 'pg';
import { COUNT_STANDBYS } from './standbys.ts';

/** What a PostgreSQL says of itself and of the user that is connected. */
export type DatabaseFacts = {
  readonly version: string;
  /** Such as 150018 for 15.18. */
  readonly versionNumber: number;
  readonly isStandby: boolean;
  readonly isReadOnly: boolean;
  readonly encoding: string;
  readonly fsync: string;
  readonly fullPageWrites: string;
  /** Connections that users other than superusers can have together. */
  readonly connectionsMax: number;
  /** The least that this database and this user may have, where they have a limit of their own. */
  readonly connectionsLimit: number | undefined;
  readonly connectionsInUse: number;
  /** Standbys that follow this server now. */
  readonly standbys: number;
  /** `synchronous_standby_names`; empty where no commit waits for a standby. */
  readonly synchronousStandbys: string;
  readonly isEncrypted: boolean;
  readonly host: string;
  readonly user: string;
  readonly database: string;
  /** Whether the user may make schemas in the database. */
  readonly mayCreate: boolean;
  readonly isOwner: boolean;
  readonly skewMs: number;
};

/** How many connections a process may open, and how many processes there are to be. */
export type ConnectionDemand = { readonly perProcess: number; readonly processes: number };

/** What the checks of a database are made on. */
export type DatabaseSurroundings = { readonly facts: DatabaseFacts; readonly demand: ConnectionDemand };

type Row = Omit<DatabaseFacts, 'host' | 'skewMs' | 'connectionsLimit'> & {
  readonly userLimit: number;
  readonly databaseLimit: number;
  readonly nowMs: number;
};

/** Reads the facts over a connection of the owner, in one statement that changes nothing. */
export async function readDatabaseFacts(
  owner: Pick<pg.Pool, 'query'>,
  url: string,
  nowMs: () => number,
): Promise<DatabaseFacts> {
  const askedAt = nowMs();
  const { rows } = await owner.query<Row>(
    `select current_setting('server_version') as version,
       current_setting('server_version_num')::int as "versionNumber",
       pg_is_in_recovery() as "isStandby",
       current_setting('transaction_read_only') = 'on' as "isReadOnly",
       current_setting('server_encoding') as encoding,
       current_setting('fsync') as fsync,
       current_setting('full_page_writes') as "fullPageWrites",
       current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
         - coalesce(current_setting('reserved_connections', true), '0')::int as "connectionsMax",
       r.rolconnlimit as "userLimit", d.datconnlimit as "databaseLimit",
       (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as "connectionsInUse",
       ${COUNT_STANDBYS} as standbys,
       current_setting('synchronous_standby_names') as "synchronousStandbys",
       coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as "isEncrypted",
       current_user as "user", current_database() as database,
       has_database_privilege(d.oid, 'create') as "mayCreate",
       pg_has_role(d.datdba, 'usage') as "isOwner",
       (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs"
     from pg_roles r, pg_database d where r.rolname = current_user and d.datname = current_database()`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the database does not know its own user');
  const { userLimit, databaseLimit, nowMs: theirs, ...facts } = row;
  const limits = [userLimit, databaseLimit].filter((limit) => limit >= 0);
  // The moment of the answer lies between the two looks at the clock.
  const ours = (askedAt + nowMs()) / 2;
  return {
    ...facts,
    connectionsLimit: limits.length === 0 ? undefined : Math.min(...limits),
    host: new URL(url).searchParams.get('host') ?? new URL(url).hostname,
    skewMs: theirs - ours,
  };
}
