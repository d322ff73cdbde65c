import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { type CheckResult, fault, type Finding, fine, skipped } from '@answer-evidence/ports';
import type { Config } from '../ground/config.ts';
import { masterKeyFile } from '../open/master-key-files.ts';
import { databaseTokensOf, googleTokens, keysByRole } from '../open/platform-grants.ts';
import { look } from './look.ts';

/** Says what the service shows to each store and until when, and never a secret. */
export async function inspectCredentials(config: Config): Promise<readonly Finding[]> {
  return [
    await look('credentials.key', () => Promise.resolve(describeKey(config))),
    await look('credentials.database', () => describeDatabase(config)),
    await look('credentials.redis', () => Promise.resolve(describeRedis(config))),
    await look('credentials.bucket', () => describeBucket(config)),
  ];
}

function describeKey(config: Config): CheckResult {
  if (config.SERVICE_MASTER_KEY === undefined) {
    const file = masterKeyFile(config);
    return existsSync(file) ? fine(`the master key is in ${file}`) : skipped('there is no master key yet');
  }
  return fine('the master key is given by the settings');
}

async function describeDatabase(config: Config): Promise<CheckResult> {
  if (config.DATABASE_URL === undefined) return skipped('the embedded PostgreSQL has a password of its own');
  const ask = databaseTokensOf(config);
  if (ask !== undefined) {
    const { source, expiresAtMs } = await ask();
    return fine(`a token of ${source}, until ${formatTime(expiresAtMs)}`);
  }
  const url = new URL(config.DATABASE_URL);
  const certificate = url.searchParams.get('sslcert');
  const password = url.password === '' ? 'no password' : 'the password in DATABASE_URL';
  if (certificate === null) return fine(password);
  return describeCertificate(certificate, password);
}

function describeRedis(config: Config): CheckResult {
  if (config.REDIS_URL === undefined) return skipped('REDIS_URL is not set');
  const password = /^[^/]*\/\/[^@/]+@/.test(config.REDIS_URL) ? 'the password in REDIS_URL' : 'no password';
  if (config.REDIS_TLS_CERT_FILE === undefined) return fine(password);
  return describeCertificate(config.REDIS_TLS_CERT_FILE, password);
}

async function describeBucket(config: Config): Promise<CheckResult> {
  if (config.S3_ENDPOINT === undefined) return skipped('S3_ENDPOINT is not set');
  if (config.S3_CREDENTIALS === 'google') {
    const { source, expiresAtMs } = await googleTokens()();
    return fine(`a token of ${source}, until ${formatTime(expiresAtMs)}`);
  }
  if (config.S3_CREDENTIALS === 'aws') {
    const { source, expiresAtMs, accessKey } = await keysByRole(config)();
    const until = expiresAtMs === undefined ? 'without an end' : `until ${formatTime(expiresAtMs)}`;
    return fine(`${source}, key ${shorten(accessKey)}, ${until}`);
  }
  const session =
    config.S3_SESSION_TOKEN === undefined ? 'without an end' : 'of a session whose end the settings do not say';
  return fine(`S3_ACCESS_KEY ${shorten(config.S3_ACCESS_KEY ?? '')}, ${session}`);
}

/** Enough of an access key, which is no secret, to tell it from others. */
function shorten(accessKey: string): string {
  return accessKey.length > 8 ? `…${accessKey.slice(-4)}` : '…';
}

function describeCertificate(file: string, besides: string): CheckResult {
  try {
    const { validToDate, validFromDate } = new X509Certificate(readFileSync(file));
    const until = formatTime(validToDate.getTime());
    if (validToDate.getTime() < Date.now()) return fault(`the certificate in ${file} ended at ${until}; renew it`);
    if (validFromDate.getTime() > Date.now())
      return fault(`the certificate in ${file} begins at ${formatTime(validFromDate.getTime())}; look at the clock`);
    return fine(`the certificate in ${file}, until ${until}, and ${besides}`);
  } catch {
    return fault(`the certificate in ${file} cannot be read; write a PEM file there`);
  }
}

function formatTime(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z');
}
