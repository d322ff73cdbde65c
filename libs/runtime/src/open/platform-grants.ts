import { PlatformCredentialsError, type PlatformKeys, type PlatformToken } from '@answer-evidence/ports';
import type { Grant } from '@answer-evidence/s3';
import type { Config } from '../ground/config.ts';
import type { Report } from '../ground/report.ts';
import { StartError } from '../ground/start-error.ts';

/** How often a token is looked at; its giver decides whether it is due. */
const LOOK_MS = 30_000;
const POSTGRES_PORT = 5_432;

/** What allows the next request to the bucket, where the settings name a platform that gives it; else undefined. */
export function bucketGrantOf(config: Config): (() => Promise<Grant>) | undefined {
  if (config.S3_CREDENTIALS === 'aws') return keysByRole(config);
  if (config.S3_CREDENTIALS === 'keys') return undefined;
  const ask = googleTokens();
  return async () => ({ bearer: (await ask()).token });
}

/** Keys of the role of this process, for the region of the bucket. */
export function keysByRole({ S3_REGION: region }: Config): () => Promise<PlatformKeys> {
  let opened: Promise<() => Promise<PlatformKeys>> | undefined;
  return async () => {
    opened ??= import('@answer-evidence/aws/credentials').then((aws) => aws.createRoleCredentials(region));
    return (await opened)();
  };
}

/** Tokens of the service account of this process. */
export function googleTokens(): () => Promise<PlatformToken> {
  let opened: Promise<() => Promise<PlatformToken>> | undefined;
  return async () => {
    opened ??= import('@answer-evidence/google-metadata').then((google) => google.createAccessTokens());
    return (await opened)();
  };
}

/** Tokens that are the password of the owner in `DATABASE_URL`; undefined where the URL has it. */
export function databaseTokensOf(config: Config): (() => Promise<PlatformToken>) | undefined {
  const { DATABASE_CREDENTIALS: from, DATABASE_URL: text } = config;
  if (from === 'url' || text === undefined) return undefined;
  if (from === 'google') return googleTokens();
  const { hostname: host, port, username } = new URL(text);
  const login = { host, port: port === '' ? POSTGRES_PORT : Number(port), user: decodeURIComponent(username) };
  let opened: Promise<() => Promise<PlatformToken>> | undefined;
  return async () => {
    opened ??= import('@answer-evidence/aws/rds').then((rds) => rds.createRdsPasswords(login));
    return (await opened)();
  };
}

/**
 * The settings with a token in place of the password of the database's owner, replaced before it ends until `stop` is
 * called. The URL is read for each connection, so a new one needs no restart. Throws `StartError`.
 */
export async function followDatabaseToken(
  config: Config,
  report: Report,
  everyMs = LOOK_MS,
): Promise<{ readonly config: Config; readonly stop: () => void }> {
  const ask = databaseTokensOf(config);
  if (ask === undefined) return { config, stop: () => undefined };
  let { token } = await askAtStart(ask);
  let reported = '';
  async function look(next: () => Promise<PlatformToken>): Promise<void> {
    try {
      ({ token } = await next());
      reported = '';
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'unknown reason';
      if (reason !== reported) report(`the database's token stays as it was: ${reason}`);
      reported = reason;
    }
  }
  const timer = setInterval(() => void look(ask), everyMs).unref();
  const followed = Object.defineProperties({}, Object.getOwnPropertyDescriptors(config)) as Config;
  Object.defineProperty(followed, 'DATABASE_URL', {
    enumerable: true,
    get: () => (config.DATABASE_URL === undefined ? undefined : withPassword(config.DATABASE_URL, token)),
  });
  return { config: followed, stop: () => clearInterval(timer) };
}

async function askAtStart(ask: () => Promise<PlatformToken>): Promise<PlatformToken> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof PlatformCredentialsError)) throw error;
    throw new StartError(`there is no token for the database: ${error.message}`, { cause: error });
  }
}

function withPassword(text: string, password: string): string {
  const url = new URL(text);
  url.password = encodeURIComponent(password);
  return url.href;
}
