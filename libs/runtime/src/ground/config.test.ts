import { describe, expect, it } from '@jest/globals';
import { DEFAULT_RATE_LIMITS } from '@answer-evidence/http-edge';
import { parseConfig, SETTINGS } from './config.ts';
import { StartError } from './start-error.ts';

const MASTER_KEY = Buffer.alloc(32, 7).toString('base64');

const DEFAULTS = {
  SERVICE_HTTP_HOST: '127.0.0.1',
  SERVICE_HTTP_PORT: 8080,
  SERVICE_METRICS_PORT: 9464,
  SERVICE_DATA_DIR: '.data',
  SERVICE_CHECK_REPLIES: 'off',
  SERVICE_DATA_DIR_LASTS: 'off',
  SERVICE_WARM_START: 'on',
  SERVICE_BACKUP_DAYS: 30,
  SERVICE_LOG_LEVEL: 'warn',
  S3_URL_STYLE: 'path',
  S3_CREDENTIALS: 'keys',
  DATABASE_CREDENTIALS: 'url',
  SERVICE_LOG_KEYS: 'master-key',
  SERVICE_SIGNING_MS: 5_000,
  SERVICE_TRACES_PERCENT: 100,
  SERVICE_RATE_LIMITS: DEFAULT_RATE_LIMITS,
  SERVICE_TRUSTED_PROXIES: '0',
  SERVICE_HSTS_SECONDS: '31536000',
  SERVICE_CONNECTIONS_MAX: 4096,
  SERVICE_CONSOLE_DIR: 'apps/console/dist',
  SERVICE_DOCS_DIR: 'dist/site',
  SERVICE_FIRST_WORKSPACE: 'on',
  SERVICE_RENEWAL_LEAD_DAYS: 90,
  SERVICE_MEMBERS_MAX: 1_000,
  SERVICE_TOKENS_MAX: 10_000,
  SERVICE_TOKEN_KEY_DAYS: 90,
  SERVICE_TOKEN_KEY_LEAD_SECONDS: 3600,
  SERVICE_OTLP_BODY_BYTES_MAX: 33_554_432,
  SERVICE_OTLP_IN_HAND_BYTES_MAX: 134_217_728,
  SERVICE_SESSION_SECONDS: 43_200,
  SERVICE_SESSION_IDLE_SECONDS: 1_800,
  SERVICE_OIDC_CLAIM: 'email',
  SERVICE_OIDC_GROUPS_CLAIM: 'groups',
  SERVICE_OIDC_LINK: 'never',
  SERVICE_OTLP_ITEMS_MAX: 10_000,
  SERVICE_OTLP_ATTRIBUTES_MAX: 1_024,
  SERVICE_OTLP_ATTRIBUTE_BYTES_MAX: 1_048_576,
  SERVICE_OTLP_DEPTH_MAX: 32,
  SERVICE_OTLP_WAIT_SECONDS: 900,
  SERVICE_OTLP_TRACE_WAIT_SECONDS: 60,
  SERVICE_OTLP_LEDGER_WAIT_MS: 2_000,
};

/** Texts that each setting takes, with what they come to, and texts that it refuses. */
const TABLE: { readonly [Name in keyof typeof SETTINGS]: readonly [Record<string, unknown>, readonly string[]] } = {
  SERVICE_HTTP_HOST: [{ '0.0.0.0': '0.0.0.0', '::1': '::1', localhost: 'localhost' }, []],
  SERVICE_HTTP_PORT: [{ 0: 0, 443: 443, 65535: 65_535 }, ['65536', '-1', '1e3', '8080 ', ' 80', '0x50', 'abc', '8.5']],
  SERVICE_OTLP_GRPC_PORT: [{ 0: 0, 4317: 4_317 }, ['65536', 'off']],
  SERVICE_METRICS_PORT: [{ 0: 0, 9464: 9464 }, ['65536', 'abc', '１２']],
  SERVICE_DATA_DIR_LASTS: [{ off: 'off', on: 'on' }, ['ON', 'true', '1']],
  SERVICE_DATA_DIR: [{ '/var/lib/evidence': '/var/lib/evidence', 'a b': 'a b' }, []],
  SERVICE_BASE_URL: [
    {
      'https://audit.example.com': 'https://audit.example.com',
      'http://10.0.0.1:8080': 'http://10.0.0.1:8080',
      'https://{workspace}.example.com': 'https://{workspace}.example.com',
      'http://{workspace}.localhost:8080': 'http://{workspace}.localhost:8080',
    },
    [
      'audit.example.com',
      'ftp://audit.example.com',
      'https://',
      'https://audit.{workspace}.example.com',
      'https://{workspace}',
      'https://{workspace}/',
      'https://{workspace}.{workspace}.example.com',
      'https://example.com/{workspace}',
      'https://{tenant}.example.com',
    ],
  ],
  SERVICE_TRACES_URL: [
    { 'http://collector:4318/v1/traces': 'http://collector:4318/v1/traces' },
    ['collector:4318', 'grpc://collector:4317'],
  ],
  OTEL_EXPORTER_OTLP_ENDPOINT: [{ 'http://c:4318': 'http://c:4318' }, ['c:4318', 'grpc://c:4317']],
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: [{ 'https://c/v1/traces': 'https://c/v1/traces' }, ['c', 'ftp://c']],
  OTEL_EXPORTER_OTLP_HEADERS: [{ 'a=b,c=d%20e': 'a=b,c=d%20e' }, []],
  OTEL_EXPORTER_OTLP_PROTOCOL: [{ grpc: 'grpc' }, []],
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: [{ 'http/protobuf': 'http/protobuf' }, []],
  OTEL_TRACES_EXPORTER: [{ none: 'none', 'otlp,console': 'otlp,console' }, []],
  OTEL_SDK_DISABLED: [{ true: 'true' }, []],
  OTEL_SERVICE_NAME: [{ ledger: 'ledger' }, ['x'.repeat(201)]],
  SERVICE_TRACES_PERCENT: [{ 1: 1, 100: 100 }, ['0', '101', '1.5']],
  S3_URL_STYLE: [{ path: 'path', 'virtual-host': 'virtual-host' }, ['host', 'PATH']],
  SERVICE_MASTER_KEY: [
    { [MASTER_KEY]: MASTER_KEY },
    [MASTER_KEY.slice(1), `${MASTER_KEY}\n`, 'secret', Buffer.alloc(31, 7).toString('base64'), '07'.repeat(32)],
  ],
  DATABASE_URL: [
    {
      'postgres://user:pass@db.example.com:5432/evidence': 'postgres://user:pass@db.example.com:5432/evidence',
      'postgresql://db/evidence?sslmode=verify-full': 'postgresql://db/evidence?sslmode=verify-full',
    },
    [
      ...['localhost', 'localhost:5432', 'mysql://root:secret@db/evidence', 'http://db/evidence', 'postgres'],
      ...[
        'postgres://one:5432,two:5432/evidence',
        'postgres://anna:secret@one,two/evidence?target_session_attrs=primary',
      ],
    ],
  ],
  SERVICE_RATE_LIMITS: [
    {
      off: 'off',
      'create=500/s, login=off': 'create=500/s, login=off',
      'unauthenticated=1000000/min,default=1/h': 'unauthenticated=1000000/min,default=1/h',
    },
    [
      'on',
      'OFF',
      '100',
      'create',
      'create=',
      'create=0/s',
      'create=-1/s',
      'create=1.5/s',
      'create=1e3/s',
      'create=1000001/s',
      'create=5/d',
      'create=5',
      'create=5/s,',
      'create=5/s;login=5/s',
      'create=5/s,create=6/s',
      'Create=5/s',
      'toString=5/s',
      'create=5/s=6',
    ],
  ],
  SERVICE_TRUSTED_PROXIES: [
    { 0: '0', 1: '1', 10: '10', '10.0.0.0/8, ::1': '10.0.0.0/8, ::1' },
    [
      '11',
      '-1',
      '1.5',
      'yes',
      'proxy.example.com',
      '10.0.0.0/0',
      '::/0',
      '10.0.0.0/33',
      '10.0.0.0/8/8',
      '1.2.3',
      '10.0.0.1,',
    ],
  ],
  SERVICE_OUTBOUND_ALLOW: [
    { 'witness.internal:8443,[fd00::1]:80': 'witness.internal:8443,[fd00::1]:80' },
    ['witness.internal', 'https://witness.internal:443', '*:443', '10.0.0.0/8:80', 'a:1,'],
  ],
  SERVICE_SMTP_URL: [
    { 'smtps://a%40b:c@mail.example.com:465': 'smtps://a%40b:c@mail.example.com:465', 'smtp://[::1]': 'smtp://[::1]' },
    ['mail.example.com:25', 'http://mail.example.com', 'smtp://mail.example.com/x', 'smtp://', 'smtp://a?tls=off'],
  ],
  SERVICE_SMTP_FROM: [
    { 'evidence@example.com': 'evidence@example.com' },
    ['evidence', 'Evidence <a@example.com>', 'a@b.example\nBcc: c@d.example', 'a,b@example.com'],
  ],
  SERVICE_CHECK_REPLIES: [{ off: 'off', on: 'on' }, ['ON', 'true', '1']],
  SERVICE_WARM_START: [{ off: 'off', on: 'on' }, ['ON', 'true', '1']],
  SERVICE_BACKUP_DAYS: [{ 0: 0, 7: 7, 36500: 36_500 }, ['36501', '-1', '1.5', 'abc', ' 7', '1e2']],
  SERVICE_DATABASE_FAILOVER: [
    { 'synchronous:pg1,pg2': 'synchronous:pg1,pg2', 'complete:74/2': 'complete:74/2' },
    ['synchronous', 'synchronous:', 'synchronous:a,', 'complete:74', 'complete:74/0', 'asynchronous:a'],
  ],
  SERVICE_WITNESS_NAME: [{ 'witness.example/w1': 'witness.example/w1' }, []],
  SERVICE_WITNESS_LOGS: [{ '/etc/witness/logs': '/etc/witness/logs' }, []],
  SERVICE_CONNECTIONS_MAX: [{ 10: 10, 100000: 100_000 }, ['9', '100001', 'many', '-1', '1e3']],
  SERVICE_RENEWAL_LEAD_DAYS: [{ 1: 1, 3650: 3650 }, ['0', '3651', '90d', '1.5']],
  SERVICE_MEMBERS_MAX: [{ 1: 1, 100000: 100_000 }, ['0', '100001', 'many', '-1']],
  SERVICE_TOKENS_MAX: [{ 10: 10, 1000000: 1_000_000 }, ['9', '1000001', 'off', '1.5']],
  SERVICE_TOKEN_KEY_DAYS: [{ 1: 1, 3650: 3650 }, ['0', '3651', '-1', '1.5', '1e2', 'never', ' 9', '99999999999999']],
  SERVICE_TOKEN_KEY_LEAD_SECONDS: [{ 1: 1, 43200: 43_200 }, ['0', '43201', '1h', '0x10']],
  SERVICE_TLS_CERT_FILE: [{}, []],
  SERVICE_TLS_KEY_FILE: [{}, []],
  SERVICE_HSTS_SECONDS: [{ off: 'off', 0: '0', 31536000: '31536000' }, ['on', '-1', '1e9', '1 year']],
  SERVICE_CONSOLE_DIR: [{ '/srv/console': '/srv/console' }, []],
  SERVICE_DOCS_DIR: [{ '/srv/docs': '/srv/docs' }, []],
  SERVICE_CONSOLE_UPSTREAM: [{ 'http://proxy:8080': 'http://proxy:8080' }, ['proxy:8080', 'ftp://proxy']],
  SERVICE_OIDC_ISSUER: [
    {
      'https://login.example.com/realms/a': 'https://login.example.com/realms/a',
      'http://localhost:9000': 'http://localhost:9000',
    },
    ['login.example.com', 'http://login.example.com', 'ftp://localhost'],
  ],
  SERVICE_SESSION_SECONDS: [{ 300: 300, 604800: 604_800 }, ['299', '604801', '12h', '1e3', '-1']],
  SERVICE_SESSION_IDLE_SECONDS: [{ 300: 300, 86400: 86_400 }, ['299', '86401', '0', 'never']],
  SERVICE_OIDC_CLIENT_ID: [{ evidence: 'evidence' }, []],
  SERVICE_QUEUE_BOARD_TOKEN: [{ ['t'.repeat(32)]: 't'.repeat(32) }, ['short', `${'t'.repeat(32)} `]],
  SERVICE_OIDC_CLIENT_SECRET: [{ 'a/b+c=': 'a/b+c=' }, []],
  SERVICE_OIDC_WORKSPACE: [{ demo: 'demo' }, ['Demo', 'a b', '-']],
  SERVICE_OIDC_CLAIM: [{ 'https://example.com/name': 'https://example.com/name' }, ['a b', 'é']],
  SERVICE_OIDC_GROUPS: [
    Object.fromEntries(
      [
        '[{"group":"a b","role":"manager"}]',
        '[{"group":"é","role":"reviewer","applications":["bot"],"environments":["test"],"adopt":true}]',
      ].map((text) => [text, text]),
    ),
    [
      'a=manager',
      '[]',
      '{}',
      '[{"group":"","role":"member"}]',
      '[{"group":"a"}]',
      '[{"group":"a","role":"owner"}]',
      '[{"group":"a","role":"manager","applications":["bot"]}]',
      '[{"group":"a","role":"application_operator","environments":["test"]}]',
      '[{"group":"a","role":"member","workspace":"other"}]',
      '[{"group":"a","group":"b","role":"member"}]',
      `[${Array.from({ length: 501 }, () => '{"group":"a","role":"member"}').join(',')}]`,
    ],
  ],
  SERVICE_OIDC_GROUPS_CLAIM: [{ 'cognito:groups': 'cognito:groups' }, ['a b', 'é']],
  SERVICE_OIDC_LINK: [{ 'first-sign-in': 'first-sign-in' }, ['on', 'always']],
  SERVICE_CORS_ORIGINS: [
    {
      'https://console.example.com': 'https://console.example.com',
      'https://a.example, http://localhost:5173,http://[::1]:8000':
        'https://a.example, http://localhost:5173,http://[::1]:8000',
    },
    [
      '*',
      'null',
      'console.example.com',
      'https://*.example.com',
      'https://console.example.com/',
      'https://console.example.com/app',
      'https://console.example.com:443',
      'https://Console.example.com',
      'https://user@console.example.com',
      'file:///index.html',
      'https://a.example,',
      'https://a.example https://b.example',
      ' ',
    ],
  ],
  REDIS_URL: [
    {
      'redis://cache.example.com:6379/2': 'redis://cache.example.com:6379/2',
      'rediss://user:secret@cache:6380': 'rediss://user:secret@cache:6380',
      'redis-sentinel://a:1,b:2/3?sentinelMasterId=m': 'redis-sentinel://a:1,b:2/3?sentinelMasterId=m',
    },
    ['cache:6379', 'localhost', 'http://cache:6379', 'redis', 'redis-sentinel://a:1', 'redis://a:1,b:2'],
  ],
  S3_ENDPOINT: [
    { 'https://s3.example.com': 'https://s3.example.com', 'http://10.0.0.1:9000': 'http://10.0.0.1:9000' },
    ['s3.example.com', 'ftp://s3', 'https://user:secret@s3', 'https://s3.example.com/evidence', 'https://s3?x=secret'],
  ],
  S3_BUCKET: [{ evidence: 'evidence', 'my.bucket-1': 'my.bucket-1' }, ['a', 'Evidence', 'a/b', '-a-', 'a'.repeat(64)]],
  S3_ACCESS_KEY: [{ AKIA: 'AKIA' }, []],
  S3_SECRET_KEY: [{ 'a/b+c=': 'a/b+c=' }, []],
  SERVICE_FIRST_WORKSPACE: [{ off: 'off', on: 'on' }, ['no', 'false']],
  S3_SESSION_TOKEN: [{ 'IQoJb3JpZ2lu/x=': 'IQoJb3JpZ2lu/x=' }, []],
  S3_CREDENTIALS: [{ keys: 'keys' }, ['AWS', 'role', 'iam']],
  DATABASE_CREDENTIALS: [{ url: 'url' }, ['rds', 'AWS', 'password']],
  SERVICE_LOG_KEYS: [
    { 'master-key': 'master-key', pkcs11: 'pkcs11', 'aws-kms': 'aws-kms' },
    ['hsm', 'PKCS11', 'softhsm'],
  ],
  SERVICE_SIGNING_MS: [{ 100: 100, 60000: 60_000 }, ['99', '60001', '5s']],
  PKCS11_MODULE: [{ '/usr/lib/softhsm/libsofthsm2.so': '/usr/lib/softhsm/libsofthsm2.so' }, []],
  PKCS11_TOKEN: [{ 'the token': 'the token' }, ['a'.repeat(33)]],
  PKCS11_PIN: [{ '1234': '1234' }, []],
  PKCS11_PACKAGE: [{ '/opt/pkcs11js': '/opt/pkcs11js' }, []],
  REDIS_TLS_CA_FILE: [{ '/run/ca.pem': '/run/ca.pem' }, []],
  REDIS_TLS_CERT_FILE: [{}, []],
  REDIS_TLS_KEY_FILE: [{}, []],
  SERVICE_MASTER_KEY_WRAPPED: [
    {
      'aws-kms:alias/evidence#AQID': 'aws-kms:alias/evidence#AQID',
      'pkcs11:the master key#AQID': 'pkcs11:the master key#AQID',
    },
    ['AQID', 'pkcs11:#AQID', 'aws-kms:alias/evidence', 'vault:x#AQID', 'aws-kms:a#secret!'],
  ],
  S3_REGION: [{ 'eu-central-1': 'eu-central-1' }, ['EU', 'eu central', 'eu/1']],
  SERVICE_HEADS: [
    { s3: 's3', 'folder:/srv/heads': 'folder:/srv/heads', 'folder:a b': 'folder:a b' },
    ['S3', 'folder', 'folder:', 'bucket', '/srv/heads', 's3:evidence'],
  ],
  SERVICE_OTLP_BODY_BYTES_MAX: [{ 1024: 1_024, 67108864: 67_108_864 }, ['1023', '67108865', '16MiB']],
  SERVICE_OTLP_IN_HAND_BYTES_MAX: [{ 1048576: 1_048_576 }, ['1048575', '-1']],
  SERVICE_OTLP_ITEMS_MAX: [{ 1: 1, 1000000: 1_000_000 }, ['0', '1000001']],
  SERVICE_OTLP_ATTRIBUTES_MAX: [{ 1: 1, 100000: 100_000 }, ['0', '100001']],
  SERVICE_OTLP_ATTRIBUTE_BYTES_MAX: [{ 1024: 1_024, 16777216: 16_777_216 }, ['1023', '16777217']],
  SERVICE_OTLP_DEPTH_MAX: [{ 1: 1, 64: 64 }, ['0', '65']],
  SERVICE_OTLP_LEDGER_WAIT_MS: [{ 0: 0, 10000: 10_000 }, ['-1', '10001', '2s']],
  SERVICE_OTLP_TRACE_WAIT_SECONDS: [{ 1: 1, 3600: 3_600 }, ['0', '3601', '1m']],
  SERVICE_OTLP_WAIT_SECONDS: [{ 1: 1, 604800: 604_800 }, ['0', '604801', '15m']],
  SERVICE_LOG_LEVEL: [{ debug: 'debug', info: 'info', warn: 'warn', error: 'error' }, ['loud', 'WARN', 'trace']],
};

/** Settings that are taken together only. */
const BUCKET = { S3_ENDPOINT: 'https://s3', S3_BUCKET: 'evidence', S3_ACCESS_KEY: 'key', S3_SECRET_KEY: 'hidden' };
const PROVIDER = {
  SERVICE_OIDC_ISSUER: 'https://login.example.com',
  SERVICE_OIDC_CLIENT_ID: 'evidence',
  SERVICE_OIDC_CLIENT_SECRET: 'hidden',
  SERVICE_OIDC_WORKSPACE: 'demo',
};
const TOKEN_OF_KEYS = { PKCS11_MODULE: '/lib.so', PKCS11_TOKEN: 'evidence', PKCS11_PIN: 'hidden' };
const MAIL = { SERVICE_SMTP_URL: 'smtps://mail', SERVICE_SMTP_FROM: 'evidence@example.com' };
function companionsOf(name: string) {
  if (name.startsWith('PKCS11_') || name === 'SERVICE_LOG_KEYS') return TOKEN_OF_KEYS;
  if (name.startsWith('REDIS_TLS_')) return { REDIS_URL: 'rediss://redis' };
  if (name.startsWith('SERVICE_OIDC_')) return PROVIDER;
  if (name.startsWith('SERVICE_SMTP_')) return MAIL;
  return name.startsWith('S3_') || name === 'SERVICE_HEADS' ? BUCKET : {};
}

describe('parseConfig', () => {
  it('has a default or nothing for every setting that is unset or empty', () => {
    expect(parseConfig({})).toEqual(DEFAULTS);
    expect(parseConfig(Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, ''])))).toEqual(DEFAULTS);
  });

  it('says what every setting is for', () => {
    for (const { purpose } of Object.values(SETTINGS)) expect(purpose.length).toBeGreaterThan(10);
  });

  it('looks at no other variable', () => {
    expect(parseConfig({ PATH: '/bin', SERVICE_HTTP_POTR: '1', HTTP_PORT: '2' })).toEqual(DEFAULTS);
  });

  const entries = Object.entries(TABLE);
  const taken = entries.flatMap(([name, [texts]]) => Object.entries(texts).map(([text, value]) => [name, text, value]));
  it.each(taken as [string, string, unknown][])('%s takes "%s"', (name, text, value) => {
    expect(parseConfig({ ...companionsOf(name), [name]: text })).toEqual({
      ...DEFAULTS,
      ...companionsOf(name),
      [name]: value,
    });
  });

  const refused = entries.flatMap(([name, [, texts]]) => texts.map((text) => [name, text] as const));
  it.each(refused)('%s refuses %j by its name, in one line, without showing it', (name, text) => {
    let thrown: unknown;
    try {
      parseConfig({ ...companionsOf(name), [name]: text });
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(StartError);
    const { message } = thrown as StartError;
    expect(message).toMatch(new RegExp(`^${name} (must|may|is) [^\n]*; correct or unset it$`));
    if (/secret|.{40}/.test(text)) expect(message).not.toContain(text);
  });

  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY, S3_SECRET_KEY } = BUCKET;
  it.each([
    [
      { S3_ENDPOINT },
      'S3_ENDPOINT is set, but S3_BUCKET, S3_ACCESS_KEY, S3_SECRET_KEY is not; set all of them or none',
    ],
    [
      { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY },
      'S3_ENDPOINT is set, but S3_SECRET_KEY is not; set all of them or none',
    ],
    [
      { S3_SECRET_KEY },
      'S3_SECRET_KEY is set, but S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY is not; set all of them or none',
    ],
    [
      { S3_REGION: 'eu' },
      'S3_REGION is set, but S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY, S3_SECRET_KEY is not; set all of them or none',
    ],
    [
      { PKCS11_MODULE: '/lib.so', PKCS11_TOKEN: 'evidence' },
      'PKCS11_MODULE is set, but PKCS11_PIN is not; set all of them or none',
    ],
    [
      { SERVICE_LOG_KEYS: 'pkcs11' },
      'SERVICE_LOG_KEYS is pkcs11, but PKCS11_MODULE is not set; set PKCS11_MODULE, PKCS11_TOKEN and PKCS11_PIN_FILE',
    ],
    [
      { SERVICE_TLS_CERT_FILE: '/tls.crt' },
      'SERVICE_TLS_CERT_FILE is set, but SERVICE_TLS_KEY_FILE is not; set all of them or none',
    ],
  ])('refuses a bucket that is set in part: %j', (environment, message) => {
    expect(() => parseConfig(environment)).toThrow(new StartError(message));
  });

  const ROLE = { S3_ENDPOINT, S3_BUCKET: 'evidence', S3_CREDENTIALS: 'aws' };
  const TOKEN = { DATABASE_CREDENTIALS: 'aws', DATABASE_URL: 'postgres://owner@db.example.com/ledger' };
  it('takes a bucket without keys where a platform allows the requests', () => {
    for (const S3_CREDENTIALS of ['aws', 'google'])
      expect(parseConfig({ ...ROLE, S3_CREDENTIALS })).toEqual({ ...DEFAULTS, ...ROLE, S3_CREDENTIALS });
  });

  it('takes a database without a password where a platform gives tokens, over a verified connection alone', () => {
    for (const DATABASE_URL of ['postgres://a@db/b?sslmode=verify-full', 'postgres://a@127.0.0.1/b'])
      expect(parseConfig({ ...TOKEN, DATABASE_URL })).toMatchObject({ DATABASE_URL, DATABASE_CREDENTIALS: 'aws' });
  });

  it.each([
    [{ ...ROLE, S3_ACCESS_KEY }, 'S3_CREDENTIALS is aws, but S3_ACCESS_KEY is set as well; unset one of them'],
    [
      { ...ROLE, S3_SESSION_TOKEN: 't' },
      'S3_CREDENTIALS is aws, but S3_SESSION_TOKEN is set as well; unset one of them',
    ],
    [
      { S3_CREDENTIALS: 'google' },
      'S3_CREDENTIALS is google, but S3_ENDPOINT is not set; set it, or unset S3_CREDENTIALS',
    ],
    [{ ...ROLE, S3_BUCKET: '' }, 'S3_ENDPOINT is set, but S3_BUCKET is not; set all of them or none'],
    [
      { S3_SESSION_TOKEN: 't' },
      'S3_SESSION_TOKEN is set, but S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY, S3_SECRET_KEY is not; set all of them or none',
    ],
    [TOKEN, 'DATABASE_CREDENTIALS is aws: add sslmode=verify-full to DATABASE_URL'],
    [
      { ...TOKEN, DATABASE_URL: 'postgres://owner@db/ledger?sslmode=no-verify' },
      'DATABASE_CREDENTIALS is aws: add sslmode=verify-full to DATABASE_URL',
    ],
    [
      { ...TOKEN, DATABASE_URL: '' },
      "DATABASE_CREDENTIALS is aws, but DATABASE_URL is not set; set it to the database's URL",
    ],
    [
      { ...TOKEN, DATABASE_URL: 'postgres://owner:hidden@db/ledger' },
      'DATABASE_CREDENTIALS is aws, but DATABASE_URL has a password; remove it from the URL',
    ],
    [
      { ...TOKEN, DATABASE_URL: 'postgres://db/ledger' },
      'DATABASE_CREDENTIALS is aws, but DATABASE_URL names no user; name the one who logs in',
    ],
    [
      { REDIS_URL: 'redis://r', REDIS_TLS_CA_FILE: '/ca' },
      'REDIS_TLS_CA_FILE is set, but REDIS_URL does not begin with rediss; correct or unset one of them',
    ],
    [
      { REDIS_URL: 'rediss://r', REDIS_TLS_CERT_FILE: '/crt' },
      'REDIS_TLS_CERT_FILE is set, but REDIS_TLS_KEY_FILE is not; set all of them or none',
    ],
  ])('refuses credentials that do not fit: %j', (environment, message) => {
    expect(() => parseConfig(environment)).toThrow(new StartError(message));
  });

  it('refuses heads in a bucket without a bucket', () => {
    expect(() => parseConfig({ SERVICE_HEADS: 's3' })).toThrow(
      'SERVICE_HEADS is s3, but S3_ENDPOINT is not set; set it, or SERVICE_HEADS to folder:<path>',
    );
  });
});
