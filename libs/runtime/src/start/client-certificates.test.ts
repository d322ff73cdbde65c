import { chmod, chown, cp, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '@answer-evidence/postgres-embedded';
import { hasRedis, issueCertificate, startTestRedis, type TestRedis } from '@answer-evidence/testing';
import { runOperator } from '../operator/run-operator.ts';

const SERVER = 'basicConstraints=CA:FALSE\nsubjectAltName=IP:127.0.0.1';
const ISSUER = 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign';

let folder: string;
const file = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-certificates-'));
  await issueCertificate(folder, { name: 'authority', extensions: ISSUER });
  await issueCertificate(folder, { name: 'stranger', extensions: ISSUER });
  await issueCertificate(folder, { name: 'server', issuer: 'authority', extensions: SERVER });
  await issueCertificate(folder, { name: 'client', issuer: 'authority', extensions: 'basicConstraints=CA:FALSE' });
  await issueCertificate(folder, { name: 'other', issuer: 'stranger', extensions: 'basicConstraints=CA:FALSE' });
});
afterAll(() => rm(folder, { recursive: true }));

async function operate(command: string, environment: Readonly<Record<string, string>>) {
  const lines: string[] = [];
  const code = await runOperator([command], {
    environment: {
      SERVICE_DATA_DIR: join(folder, 'data'),
      SERVICE_DATA_DIR_LASTS: 'on',
      SERVICE_MASTER_KEY: KEY,
      ...environment,
    },
    out: (line) => lines.push(line),
    err: (line) => lines.push(line),
  });
  return { code, text: lines.join('\n') };
}
const KEY = Buffer.alloc(32, 7).toString('base64');

describe('PostgreSQL that wants a certificate of its clients', () => {
  let postgres: EmbeddedPostgres;
  let bare: string;
  beforeAll(async () => {
    const dataDir = join(folder, 'postgres');
    const made = await openEmbeddedPostgres({ dataDir });
    await made.close();
    const cluster = await findCluster(dataDir);
    const { uid, gid } = await stat(cluster);
    for (const name of ['server.pem', 'server.key', 'authority.pem']) {
      await cp(file(name), join(cluster, name));
      await chown(join(cluster, name), uid, gid);
      await chmod(join(cluster, name), 0o600);
    }
    const settings = {
      ssl: 'on',
      ssl_cert_file: 'server.pem',
      ssl_key_file: 'server.key',
      ssl_ca_file: 'authority.pem',
    };
    postgres = await openEmbeddedPostgres({ dataDir, settings });
    await writeFile(join(cluster, 'pg_hba.conf'), 'hostssl all all 127.0.0.1/32 scram-sha-256 clientcert=verify-ca\n');
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    await client.query('select pg_reload_conf()');
    await client.end();
    bare = `${postgres.url}?sslmode=verify-full&sslrootcert=${file('authority.pem')}`;
  }, 60_000);
  afterAll(() => postgres.close());

  const shown = (name: string) => `${bare}&sslcert=${file(`${name}.pem`)}&sslkey=${file(`${name}.key`)}`;

  it('gets it from the owner and from the logins that the service makes, and doctor says until when', async () => {
    expect(await operate('database-migrate', { DATABASE_URL: shown('client') })).toMatchObject({ code: 0 });
    const { text } = await operate('doctor', { DATABASE_URL: shown('client') });
    expect(text).toMatch(/PASS database\.logins/);
    expect(text).toMatch(
      /PASS credentials\.database: the certificate in .*client\.pem, until 20\S+Z, and the password in DATABASE_URL/,
    );
    expect(text).not.toContain(KEY);
  }, 60_000);

  it.each(['none', 'other'])('refuses %s in a sentence', async (name) => {
    const url = name === 'none' ? bare : shown(name);
    const { text } = await operate('doctor', { DATABASE_URL: url });
    expect(text).toMatch(/FAIL database\S*: PostgreSQL at 127\.0\.0\.1:\d+ wants a certificate of the service/);
  });
});

async function findCluster(dataDir: string): Promise<string> {
  const names = await readdir(dataDir, { recursive: true });
  const found = names.find((name) => name === 'pg_hba.conf' || name.endsWith('/pg_hba.conf'));
  if (found === undefined) throw new Error('there is no pg_hba.conf');
  return join(dataDir, found, '..');
}

(hasRedis() ? describe : describe.skip)('Redis that wants a certificate of its clients', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startTestRedis({
      'tls-cert-file': file('server.pem'),
      'tls-key-file': file('server.key'),
      'tls-ca-cert-file': file('authority.pem'),
      'tls-auth-clients': 'optional',
    });
    // The one that starts it has no certificate.
    await redis.command('CONFIG', 'SET', 'tls-auth-clients', 'yes');
  }, 30_000);
  afterAll(() => redis.close());

  const given = (name: string) => ({
    REDIS_URL: redis.url,
    REDIS_TLS_CA_FILE: file('authority.pem'),
    REDIS_TLS_CERT_FILE: file(`${name}.pem`),
    REDIS_TLS_KEY_FILE: file(`${name}.key`),
  });

  it('gets it, and doctor says until when', async () => {
    const { text } = await operate('doctor', given('client'));
    expect(text).toMatch(/PASS redis\.\w/);
    expect(text).not.toMatch(/FAIL redis/);
    expect(text).toMatch(/PASS credentials\.redis: the certificate in .*client\.pem, until 20\S+Z, and no password/);
  });

  it('refuses another one and none in a sentence', async () => {
    const { REDIS_URL, REDIS_TLS_CA_FILE } = given('client');
    for (const wrong of [given('other'), { REDIS_URL, REDIS_TLS_CA_FILE }])
      expect((await operate('doctor', wrong)).text).toMatch(
        /FAIL redis\.connection: .*correct REDIS_TLS_CERT_FILE and REDIS_TLS_KEY_FILE/,
      );
    expect((await operate('doctor', { ...given('client'), REDIS_TLS_CA_FILE: file('stranger.pem') })).text).toMatch(
      /FAIL redis\.connection: the certificate of Redis is not trusted .* REDIS_TLS_CA_FILE/,
    );
  });
});
