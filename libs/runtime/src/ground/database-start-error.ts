import { type ProblemCode, ServiceError } from '@answer-evidence/contracts';
import { DatabaseSetupError, isConnectionFailure, sqlState } from '@answer-evidence/postgres';
import type { Config } from './config.ts';
import { StartError } from './start-error.ts';

/** What Node says of certificates that no authority issued. */
const SELF_SIGNED: ReadonlySet<string> = new Set(['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN']);
/** Under which the cause of a failed contact comes. */
const CODES: ReadonlySet<ProblemCode> = new Set(['ledger_unavailable', 'content_damaged']);

/** A failed first contact with the database, as a sentence that says what to do, without the URL's password. */
export function databaseStartError(error: unknown, config: Config): unknown {
  if (error instanceof StartError) return error;
  if (error instanceof ServiceError && CODES.has(error.code) && error.cause !== undefined) {
    const refusal = databaseStartError(error.cause, config);
    const isDamage = error.remedy === 'stop-process' && !(refusal instanceof StartError);
    return isDamage ? new StartError(error.message, { cause: error }) : refusal;
  }
  const database = describeDatabase(config.DATABASE_URL);
  const refusal = describeRefusal(error, database);
  return refusal === undefined ? error : new StartError(refusal, { cause: error });
}

/** How a sentence names the database of the settings: by its address, without a password. */
export function placeOfDatabase(config: Config): string {
  return describeDatabase(config.DATABASE_URL).place;
}

type Database = {
  readonly place: string;
  readonly user: string;
  readonly name: string;
  readonly fix: string;
  readonly begin: string;
  /** Where nothing more is known. */
  readonly doubt: string;
};

function describeDatabase(databaseUrl: string | undefined): Database {
  if (databaseUrl === undefined)
    return {
      place: 'the embedded PostgreSQL',
      user: 'postgres',
      name: 'answer_evidence',
      fix: 'restore the data folder',
      begin: 'start the service again',
      doubt: 'start the service again',
    };
  const { hostname, port, pathname, username } = new URL(databaseUrl);
  return {
    place: `PostgreSQL at ${hostname}:${port === '' ? '5432' : port}`,
    user: username,
    name: pathname.slice(1),
    fix: 'correct DATABASE_URL',
    begin: 'start it or correct DATABASE_URL',
    doubt: 'correct DATABASE_URL',
  };
}

function describeRefusal(error: unknown, { place, user, name, fix, begin, doubt }: Database): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof DatabaseSetupError) return `${place} ${error.message}`;
  // PgBouncer, which knows few of the parameters with which a session begins.
  if (/unsupported startup parameter/.test(error.message))
    return `${place} is a connection pooler that refuses the settings of a session; let DATABASE_URL lead to PostgreSQL itself`;
  const way = describeTls(error);
  if (way !== undefined) return `${place} ${way}`;
  const state = sqlState(error);
  switch (state ?? 'none') {
    case '28P01':
    case '28000':
      return `${place} rejects the user "${user}"; ${fix}`;
    case '3D000':
      return `${place} has no database "${name}"; create it or ${fix}`;
    case '42501':
      return `the user "${user}" may not make the schema of the service in ${place}; use the database's owner in DATABASE_URL`;
    case '53300':
      return `${place} has no free connection; close other clients or raise max_connections`;
    case '25P04':
      return `${place} ends transactions by its transaction_timeout; reset it for the database and for its roles`;
    case '25006':
      return `${place} accepts no writes; let DATABASE_URL lead to the primary, or end its read-only mode`;
    case '58P01':
    case '22023':
      return (
        `${place} refuses the service: ${error.message} (SQLSTATE ${state}); a setting of the server, the database or a ` +
        'role names what is not there, such as session_preload_libraries or local_preload_libraries: find it by ' +
        '"select * from pg_db_role_setting" and "select * from pg_file_settings", and reset it'
      );
    case '55P03':
    case '40P01':
    case '57014':
      return (
        `${place} keeps the start waiting for a lock of another session, such as a backup or a migration: "select pid, ` +
        `application_name, query from pg_stat_activity where state <> 'idle'" shows it; start again when it has ended`
      );
  }
  // pg has no code for a password that the server asks for and the URL lacks.
  if (/^SASL: /.test(error.message)) return `${place} requires a password; put it into DATABASE_URL`;
  if (isConnectionFailure(error)) return `${place} does not respond; ${begin}`;
  if (/newer release/.test(error.message)) return error.message;
  if (state !== undefined) return `${place} refuses the service: ${error.message} (SQLSTATE ${state}); ${doubt}`;
  return undefined;
}

/** What is wrong with the way to the server, by what the server or the TLS of Node says. */
function describeTls(error: Error): string | undefined {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (/does not support SSL/.test(error.message)) return 'does not offer TLS; remove sslmode from DATABASE_URL';
  // pg_hba.conf has lines for encrypted connections only; the words are the server's, in English or with its detail.
  if (code === '28000' && /no encryption|SSL off/.test(error.message))
    return 'demands TLS; add sslmode=verify-full (and sslrootcert=FILE) to DATABASE_URL';
  // The words of the server, or its alert of TLS for one of an authority that it does not trust.
  if (
    (code === '28000' && /client certificate/.test(error.message)) ||
    (code.includes('_ALERT_') && (code.includes('CERTIFICATE') || code.endsWith('UNKNOWN_CA')))
  )
    return (
      'wants a certificate of the service, and not the one that it has; name its file as sslcert, and that of its key ' +
      'as sslkey, in DATABASE_URL'
    );
  if (SELF_SIGNED.has(code) || /^(?:UNABLE_TO|CERT|ERR_TLS_CERT)_\w+$/.test(code))
    return `has a certificate that is not trusted (${code}); name its authority's file as sslrootcert in DATABASE_URL`;
  return undefined;
}
