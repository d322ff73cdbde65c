import { fault, fine, isThisMachine, judgeClockSkew, skipped, type SurroundingCheck } from '@answer-evidence/ports';
import type { DatabaseSurroundings } from './read-database-facts.ts';

/** Older ones lack what the schema uses, and get no fixes any more. */
const VERSION_MIN = 15;

/** What is checked of a PostgreSQL over the first connection, before anything is written. */
export const DATABASE_CHECKS: readonly SurroundingCheck<DatabaseSurroundings>[] = [
  {
    name: 'database.version',
    severity: 'refuse',
    foundBy: 'show server_version',
    judge: ({ facts: { version, versionNumber } }) =>
      Math.floor(versionNumber / 10_000) >= VERSION_MIN
        ? fine(`PostgreSQL ${version}`)
        : fault(`is PostgreSQL ${version}; upgrade it to ${VERSION_MIN} or newer`),
  },
  {
    name: 'database.primary',
    severity: 'refuse',
    foundBy: 'select pg_is_in_recovery()',
    judge: ({ facts }) =>
      facts.isStandby
        ? fault('is a standby, which accepts no writes; let DATABASE_URL lead to the primary')
        : fine('is a primary'),
  },
  {
    name: 'database.writable',
    severity: 'refuse',
    foundBy: 'show transaction_read_only',
    judge({ facts: { isStandby, isReadOnly, database, user } }) {
      if (isStandby) return skipped('a standby is never writable');
      if (!isReadOnly) return fine('accepts writes');
      return fault(
        `makes transactions read-only; run: alter database "${database}" reset default_transaction_read_only; ` +
          `alter role "${user}" reset default_transaction_read_only; alter role "${user}" in database "${database}" ` +
          "reset default_transaction_read_only; or set the server's own setting to off",
      );
    },
  },
  {
    name: 'database.encoding',
    severity: 'refuse',
    foundBy: 'show server_encoding',
    judge: ({ facts: { encoding, database } }) =>
      encoding === 'UTF8'
        ? fine('UTF8')
        : fault(
            `has the database "${database}" in ${encoding}; make one in UTF8: ` +
              `create database NAME encoding 'UTF8' template template0`,
          ),
  },
  {
    name: 'database.rights',
    severity: 'refuse',
    foundBy: 'select has_database_privilege(current_database(), $$create$$)',
    judge({ facts: { isOwner, mayCreate, user, database } }) {
      if (isOwner) return fine(`"${user}" is the owner of the database`);
      if (mayCreate) return fine(`"${user}" may make schemas in the database`);
      return fault(
        `has too few grants: the user "${user}" may not make the schema of the service; use the database's owner in ` +
          `DATABASE_URL, or have the owner run: grant create on database "${database}" to "${user}"`,
      );
    },
  },
  {
    name: 'database.durable',
    severity: 'warn',
    foundBy: 'show fsync; show full_page_writes',
    judge({ facts: { fsync, fullPageWrites } }) {
      const off = [...(fsync === 'on' ? [] : ['fsync']), ...(fullPageWrites === 'on' ? [] : ['full_page_writes'])];
      return off.length === 0
        ? fine('fsync and full_page_writes are on')
        : fault(`has ${off.join(' and ')} off, so a power failure can lose acknowledged records; switch it on`);
    },
  },
  {
    name: 'database.standbys',
    severity: 'warn',
    foundBy: 'select application_name, sync_state from pg_stat_replication; show synchronous_standby_names',
    judge({ facts: { isStandby, standbys, synchronousStandbys } }) {
      if (isStandby) return skipped('a standby is not asked for its own');
      if (synchronousStandbys !== '') return fine(`commits wait for a standby of ${synchronousStandbys}`);
      if (standbys === 0) return fine('has no standby');
      return fault(
        `has ${standbys === 1 ? 'a standby' : `${standbys} standbys`} and no synchronous one, so a failover loses ` +
          'records that were acknowledged, and the logs go on under new names or wait for ledger-recover; set ' +
          'synchronous_standby_names, and SERVICE_DATABASE_FAILOVER (docs/operations/high-availability.md)',
      );
    },
  },
  {
    name: 'database.tls',
    severity: 'warn',
    foundBy: 'select ssl from pg_stat_ssl where pid = pg_backend_pid()',
    judge({ facts: { isEncrypted, host } }) {
      if (isEncrypted) return fine('the connection is encrypted');
      if (isThisMachine(host)) return skipped('is on this machine');
      return fault('is reached without TLS; add sslmode=verify-full (and sslrootcert=FILE) to DATABASE_URL');
    },
  },
  {
    name: 'database.connections',
    severity: 'warn',
    foundBy: 'show max_connections, and connection limits of the role and the database',
    judge({ facts: { connectionsMax, connectionsLimit }, demand: { perProcess, processes } }) {
      const permitted = Math.min(connectionsMax, connectionsLimit ?? Infinity);
      const needed = perProcess * processes;
      const words = `${needed} (${processes} of the service with up to ${perProcess} each)`;
      if (permitted >= needed) return fine(`permits ${permitted} connections, enough for ${words}`);
      return fault(
        `permits ${permitted} connections, fewer than ${words}; raise ` +
          (connectionsLimit === undefined || connectionsMax <= connectionsLimit
            ? 'max_connections'
            : 'the connection limit of the role or of the database'),
      );
    },
  },
  {
    name: 'database.free-connections',
    severity: 'warn',
    foundBy: `select count(*) from pg_stat_activity where backend_type = 'client backend'`,
    judge({ facts: { connectionsMax, connectionsInUse }, demand: { perProcess } }) {
      const free = connectionsMax - connectionsInUse;
      return free >= perProcess
        ? fine(`${free} of ${connectionsMax} connections are free`)
        : fault(
            `has ${Math.max(0, free)} of ${connectionsMax} connections free, and a process opens up to ${perProcess}; ` +
              'close other clients or raise max_connections',
          );
    },
  },
  {
    name: 'database.clock',
    severity: 'warn',
    foundBy: 'select clock_timestamp()',
    judge: ({ facts }) => judgeClockSkew(facts.skewMs, 'the database'),
  },
];
