import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@answer-evidence/contracts';
import { parseConfig } from './config.ts';
import { databaseStartError } from './database-start-error.ts';
import { StartError } from './start-error.ts';

const external = parseConfig({ DATABASE_URL: 'postgres://anna:secret@db.example.com/evidence' });
const withPort = parseConfig({ DATABASE_URL: 'postgres://anna:secret@db.example.com:6543/evidence' });
const embedded = parseConfig({});

function failure(code: string | undefined, message = 'failed'): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}

describe('databaseStartError', () => {
  it.each([
    ['28P01', 'failed', 'PostgreSQL at db.example.com:5432 rejects the user "anna"; correct DATABASE_URL'],
    ['28000', 'failed', 'PostgreSQL at db.example.com:5432 rejects the user "anna"; correct DATABASE_URL'],
    [
      '3D000',
      'failed',
      'PostgreSQL at db.example.com:5432 has no database "evidence"; create it or correct DATABASE_URL',
    ],
    [
      '42501',
      'failed',
      'the user "anna" may not make the schema of the service in PostgreSQL at db.example.com:5432; use the database\'s owner in DATABASE_URL',
    ],
    [
      '53300',
      'failed',
      'PostgreSQL at db.example.com:5432 has no free connection; close other clients or raise max_connections',
    ],
    ['ECONNREFUSED', 'failed', 'PostgreSQL at db.example.com:5432 does not respond; start it or correct DATABASE_URL'],
    ['ENOTFOUND', 'failed', 'PostgreSQL at db.example.com:5432 does not respond; start it or correct DATABASE_URL'],
    ['57P03', 'failed', 'PostgreSQL at db.example.com:5432 does not respond; start it or correct DATABASE_URL'],
    [
      undefined,
      'timeout expired',
      'PostgreSQL at db.example.com:5432 does not respond; start it or correct DATABASE_URL',
    ],
    [
      undefined,
      'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string',
      'PostgreSQL at db.example.com:5432 requires a password; put it into DATABASE_URL',
    ],
    [
      '28000',
      'no pg_hba.conf entry for host "10.0.0.9", user "anna", database "evidence", no encryption',
      'PostgreSQL at db.example.com:5432 demands TLS; add sslmode=verify-full (and sslrootcert=FILE) to DATABASE_URL',
    ],
    ...(
      [
        ['28000', 'connection requires a valid client certificate'],
        ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'tlsv1 alert unknown ca'],
        ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'tlsv13 alert certificate required'],
      ] as const
    ).map(
      ([code, message]) =>
        [
          code,
          message,
          'PostgreSQL at db.example.com:5432 wants a certificate of the service, and not the one that it has; name its file as sslcert, and that of its key as sslkey, in DATABASE_URL',
        ] as const,
    ),
    [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'self-signed certificate',
      "PostgreSQL at db.example.com:5432 has a certificate that is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT); name its authority's file as sslrootcert in DATABASE_URL",
    ],
    [
      '25006',
      'cannot execute INSERT in a read-only transaction',
      'PostgreSQL at db.example.com:5432 accepts no writes; let DATABASE_URL lead to the primary, or end its read-only mode',
    ],
    ...['55P03', '40P01', '57014'].map(
      (state) =>
        [
          state,
          'failed',
          'PostgreSQL at db.example.com:5432 keeps the start waiting for a lock of another session, such as a backup or a ' +
            'migration: "select pid, application_name, query from pg_stat_activity where state <> \'idle\'" shows it; ' +
            'start again when it has ended',
        ] as const,
    ),
    [
      '55000',
      'database "evidence" is not currently accepting connections',
      'PostgreSQL at db.example.com:5432 refuses the service: database "evidence" is not currently accepting connections (SQLSTATE 55000); correct DATABASE_URL',
    ],
    [
      '58P01',
      'could not access file "nowhere": No such file or directory',
      'PostgreSQL at db.example.com:5432 refuses the service: could not access file "nowhere": No such file or directory ' +
        '(SQLSTATE 58P01); a setting of the server, the database or a role names what is not there, such as ' +
        'session_preload_libraries or local_preload_libraries: find it by "select * from pg_db_role_setting" and ' +
        '"select * from pg_file_settings", and reset it',
    ],
  ] as const)('says in one line what to do about %s: %s', (code, message, expected) => {
    const cause = failure(code, message);
    const error = databaseStartError(cause, external);
    expect(error).toBeInstanceOf(StartError);
    expect(error).toMatchObject({ message: expected, cause });
  });

  it('names the port of the URL', () => {
    expect(databaseStartError(failure('28P01'), withPort)).toMatchObject({
      message: expect.stringContaining('db.example.com:6543'),
    });
  });

  it('speaks of the embedded PostgreSQL where DATABASE_URL is unset', () => {
    expect(databaseStartError(failure('ECONNRESET'), embedded)).toMatchObject({
      message: 'the embedded PostgreSQL does not respond; start the service again',
    });
    expect(databaseStartError(failure('55000', 'it is odd'), embedded)).toMatchObject({
      message: 'the embedded PostgreSQL refuses the service: it is odd (SQLSTATE 55000); start the service again',
    });
  });

  it('looks through the error that callers of the API get', () => {
    const wrapped = new ServiceError('ledger_unavailable', 'not reachable', {
      remedy: 'retry',
      cause: failure('3D000'),
    });
    expect(databaseStartError(wrapped, external)).toMatchObject({
      message: expect.stringContaining('has no database "evidence"'),
    });
  });

  it('leaves alone what the database did not refuse, and what is said already', () => {
    const others = [new TypeError('x is not a function'), new Error('a bug'), new StartError('said'), 'a string'];
    for (const error of others) expect(databaseStartError(error, external)).toBe(error);
  });
});
