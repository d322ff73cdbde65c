import * as z from 'zod';
import { isThisMachine } from '@answer-evidence/ports';
import { CONSOLE_SETTINGS } from './settings/console.ts';
import { CREDENTIALS_SETTINGS } from './settings/credentials.ts';
import { LOG_KEYS_SETTINGS } from './settings/log-keys.ts';
import { MAIL_SETTINGS } from './settings/mail.ts';
import { OTLP_SETTINGS } from './settings/otlp.ts';
import { SERVER_SETTINGS } from './settings/server.ts';
import { STORES_SETTINGS } from './settings/stores.ts';
import { TRACES_SETTINGS } from './settings/traces.ts';
import { WORKSPACES_SETTINGS } from './settings/workspaces.ts';
import { StartError } from './start-error.ts';

/**
 * Every setting: its environment variable, its form, its default, and what it is for. docs/configuration.md is made of
 * it (`npm run docs:generate`); a form that its schema does not show there is named by `.meta({ description })`.
 */
export const SETTINGS = {
  ...SERVER_SETTINGS,
  ...STORES_SETTINGS,
  ...CREDENTIALS_SETTINGS,
  ...LOG_KEYS_SETTINGS,
  ...CONSOLE_SETTINGS,
  ...WORKSPACES_SETTINGS,
  ...MAIL_SETTINGS,
  ...OTLP_SETTINGS,
  ...TRACES_SETTINGS,
} as const;

const schema = z.object(
  Object.fromEntries(Object.entries(SETTINGS).map(([name, setting]) => [name, setting.schema])) as {
    [K in keyof typeof SETTINGS]: (typeof SETTINGS)[K]['schema'];
  },
);

/** The settings of a process. */
export type Config = z.output<typeof schema>;

/** Reads the settings; an empty variable counts as unset. Throws `StartError` that names the first wrong one. */
export function parseConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.keys(SETTINGS).flatMap((name) => {
      const value = environment[name];
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );
  const parsed = schema.safeParse(given);
  if (parsed.success) {
    assertBucketWhole(parsed.data);
    assertCredentialsFit(parsed.data);
    assertWhole(parsed.data, ['REDIS_TLS_CERT_FILE', 'REDIS_TLS_KEY_FILE'], []);
    assertLogKeysFit(parsed.data);
    assertWhole(parsed.data, ['SERVICE_SMTP_URL', 'SERVICE_SMTP_FROM'], []);
    assertWhole(parsed.data, ['SERVICE_TLS_CERT_FILE', 'SERVICE_TLS_KEY_FILE'], []);
    assertWhole(
      parsed.data,
      ['SERVICE_OIDC_ISSUER', 'SERVICE_OIDC_CLIENT_ID', 'SERVICE_OIDC_CLIENT_SECRET', 'SERVICE_OIDC_WORKSPACE'],
      ['SERVICE_OIDC_GROUPS'],
    );
    if (parsed.data.SERVICE_HEADS === 's3' && parsed.data.S3_ENDPOINT === undefined)
      throw new StartError(
        'SERVICE_HEADS is s3, but S3_ENDPOINT is not set; set it, or SERVICE_HEADS to folder:<path>',
      );
    return parsed.data;
  }
  const [issue] = parsed.error.issues;
  throw new StartError(`${String(issue?.path[0])} ${issue?.message ?? 'is not valid'}; correct or unset it`);
}

/** A role needs no keys, and keys beside it would be of no use. */
function assertBucketWhole(config: Config): void {
  const { S3_CREDENTIALS: from } = config;
  if (from === 'keys')
    return assertWhole(
      config,
      ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY', 'S3_SECRET_KEY'],
      ['S3_REGION', 'S3_SESSION_TOKEN'],
    );
  const key = (['S3_ACCESS_KEY', 'S3_SECRET_KEY', 'S3_SESSION_TOKEN'] as const).find((name) => config[name]);
  if (key !== undefined)
    throw new StartError(`S3_CREDENTIALS is ${from}, but ${key} is set as well; unset one of them`);
  if (config.S3_ENDPOINT === undefined)
    throw new StartError(`S3_CREDENTIALS is ${from}, but S3_ENDPOINT is not set; set it, or unset S3_CREDENTIALS`);
  assertWhole(config, ['S3_ENDPOINT', 'S3_BUCKET'], []);
}

/** Throws `StartError` where a way to log in is named and what it needs is not there. */
function assertCredentialsFit({ DATABASE_CREDENTIALS: from, DATABASE_URL: text, ...config }: Config): void {
  const files = (['REDIS_TLS_CA_FILE', 'REDIS_TLS_CERT_FILE'] as const).find((name) => config[name] !== undefined);
  if (files !== undefined && !/^rediss/.test(config.REDIS_URL ?? ''))
    throw new StartError(`${files} is set, but REDIS_URL does not begin with rediss; correct or unset one of them`);
  if (from === 'url') return;
  if (text === undefined)
    throw new StartError(`DATABASE_CREDENTIALS is ${from}, but DATABASE_URL is not set; set it to the database's URL`);
  const url = new URL(text);
  if (url.password !== '')
    throw new StartError(`DATABASE_CREDENTIALS is ${from}, but DATABASE_URL has a password; remove it from the URL`);
  if (url.username === '')
    throw new StartError(`DATABASE_CREDENTIALS is ${from}, but DATABASE_URL names no user; name the one who logs in`);
  // The token is a password: it goes to nobody who has not shown who he is.
  const mode = url.searchParams.get('sslmode');
  if (mode !== 'verify-full' && !isThisMachine(url.hostname))
    throw new StartError(`DATABASE_CREDENTIALS is ${from}: add sslmode=verify-full to DATABASE_URL`);
}

/** Throws `StartError` where keys of logs are to be made in a token that is not named. */
function assertLogKeysFit(config: Config): void {
  assertWhole(config, ['PKCS11_MODULE', 'PKCS11_TOKEN', 'PKCS11_PIN'], ['PKCS11_PACKAGE']);
  if (config.SERVICE_LOG_KEYS === 'pkcs11' && config.PKCS11_MODULE === undefined)
    throw new StartError(
      'SERVICE_LOG_KEYS is pkcs11, but PKCS11_MODULE is not set; set PKCS11_MODULE, PKCS11_TOKEN and PKCS11_PIN_FILE',
    );
}

/** Throws `StartError` when only some of the settings that belong together are there. */
function assertWhole(config: Config, together: readonly (keyof Config)[], besides: readonly (keyof Config)[]): void {
  const given = together.filter((name) => config[name] !== undefined);
  const [present = besides.find((name) => config[name] !== undefined)] = given;
  const missing = together.filter((name) => config[name] === undefined);
  if (present === undefined || missing.length === 0) return;
  throw new StartError(`${present} is set, but ${missing.join(', ')} is not; set all of them or none`);
}
