import * as z from 'zod';
import { parseRedisAddress } from '@answer-evidence/bullmq/redis-address';
import { slug } from '@answer-evidence/contracts';
import {
  CONNECTIONS_MAX_DEFAULT,
  DEFAULT_RATE_LIMITS,
  parseCorsOrigins,
  parseRateLimits,
  parseTrustedProxies,
} from '@answer-evidence/http-edge';
import { parseMasterKey } from '@answer-evidence/node-crypto';
import { OTLP_LIMITS } from '@answer-evidence/otlp';
import { parseAllowList } from '@answer-evidence/outbound-http';
import {
  days,
  isHttpsOrLocal,
  isOrigin,
  isParsedBy,
  isPlaceholderWhole,
  parsedBy,
  port,
  url,
  wholeNumber,
} from './setting-forms.ts';
import { StartError } from './start-error.ts';

/**
 * Every setting: its environment variable, its form, its default, and what it is for. docs/configuration.md is made of
 * it (`npm run docs:generate`); a form that its schema does not show there is named by `.meta({ description })`.
 */
export const SETTINGS = {
  SERVICE_HTTP_HOST: { schema: z.string().min(1).default('127.0.0.1'), purpose: 'Address to listen on' },
  SERVICE_HTTP_PORT: { schema: port.default(8080), purpose: 'Port of the API; 0 takes a free one' },
  SERVICE_METRICS_PORT: {
    schema: port.default(9464),
    purpose: 'Port of /livez, /readyz and /metrics; 0 takes a free one',
  },
  SERVICE_QUEUE_BOARD_TOKEN: {
    schema: z
      .string()
      .regex(
        /^[\x21-\x7e]{32,500}$/,
        'must be 32 to 500 visible ASCII characters (create one with: openssl rand -hex 32)',
      )
      .optional()
      .meta({ description: '32 to 500 visible ASCII characters' }),
    purpose:
      'Token for the queue board at /queues/ of the metrics port: a browser asks for it as a password, other programs ' +
      'send it as a bearer token. Default: no board',
  },
  SERVICE_DATA_DIR: { schema: z.string().min(1).default('.data'), purpose: 'Folder for all stored data' },
  SERVICE_BASE_URL: {
    schema: url('http:', 'https:')
      .refine(isPlaceholderWhole, 'may contain {workspace} once, at the start of its host, before a domain')
      .optional(),
    purpose:
      'Public address; its host becomes part of the origin of every new log. With {workspace} in the host, the ' +
      'host selects the workspace',
  },
  SERVICE_MASTER_KEY: {
    schema: z
      .string()
      .refine(isParsedBy(parseMasterKey), 'must be base64 of 32 bytes (create one with: openssl rand -base64 32)')
      .meta({ description: 'base64' })
      .optional(),
    purpose:
      'Base64 of 32 bytes that wrap every other key (openssl rand -base64 32). Default: a key file in the data folder',
  },
  DATABASE_URL: {
    schema: z
      .string()
      .refine(
        (text) => !/^\w+:\/\/(?:[^@/?]*@)?[^/?]*,/.test(text),
        'must name one host, which leads to the primary also after a failover, such as a virtual address, a DNS name ' +
          'or HAProxy',
      )
      .pipe(url('postgres:', 'postgresql:'))
      .meta({ description: 'URL, `postgres://` or `postgresql://`' })
      .optional(),
    purpose:
      'PostgreSQL to use, directly and not through a connection pooler, as the owner of the database. The ' +
      'service makes logins of its own; an owner who may not create roles is told what an administrator has to ' +
      'run. Default: the embedded PostgreSQL',
  },
  SERVICE_RATE_LIMITS: {
    schema: z
      .string()
      .refine(isParsedBy(parseRateLimits), `must be off, or a list such as ${DEFAULT_RATE_LIMITS} (units s, min, h)`)
      .default(DEFAULT_RATE_LIMITS)
      .meta({ description: '`off`, or a list of `NAME=COUNT/UNIT` or `NAME=off` (units `s`, `min`, `h`)' }),
    purpose:
      'Requests that one token, or one address where there is no token, may make of one process, and what its bodies ' +
      'of more than 64 KiB may cost (kilobytes, and milliseconds of a processor); a limit left out of the list keeps its ' +
      'default',
  },
  SERVICE_TRUSTED_PROXIES: {
    schema: z
      .string()
      .refine(
        isParsedBy(parseTrustedProxies),
        'must be a number of proxies from 0 to 10, or a list of addresses and networks such as 10.0.0.0/8,::1',
      )
      .default('0')
      .meta({ description: 'a number, or a list of addresses and networks' }),
    purpose:
      'Reverse proxies whose X-Forwarded-For is trusted: how many in a row, or their addresses. With none, the ' +
      'address of the connection counts; behind a proxy, that address is the same for all clients',
  },
  SERVICE_TLS_CERT_FILE: {
    schema: z.string().min(1).optional(),
    purpose:
      'PEM file of a certificate with its chain: with it and the key, the API port speaks HTTPS only. Read again ' +
      'when it changes. Default: HTTP, for a proxy that terminates TLS',
  },
  SERVICE_TLS_KEY_FILE: {
    schema: z.string().min(1).optional(),
    purpose: 'PEM file of the key of that certificate, without a passphrase',
  },
  SERVICE_CORS_ORIGINS: {
    schema: z
      .string()
      .refine(
        isParsedBy(parseCorsOrigins),
        'must be a list of origins, each a scheme, a host and a port that is not the default one, such as ' +
          'https://console.example.com,http://localhost:5173, without * and null',
      )
      .optional()
      .meta({ description: '`ORIGIN,…`' }),
    purpose:
      'Origins whose pages may read from the service and send OTLP to it, in a browser and with a token of their ' +
      'own. Default: none',
  },
  SERVICE_CONSOLE_DIR: {
    schema: z.string().min(1).default('apps/console/dist'),
    purpose: 'Folder of the built console, which is served at /console/',
  },
  SERVICE_CONSOLE_UPSTREAM: {
    schema: url('http:', 'https:').optional(),
    purpose:
      'Address of the API for browsers that are signed in to the console: that of the proxy before all processes. ' +
      'Default: this process itself, which then needs every stage',
  },
  SERVICE_OIDC_ISSUER: {
    schema: url('http:', 'https:')
      .refine(isHttpsOrLocal, 'must begin with https:// unless it is on this machine')
      .optional(),
    purpose:
      'OpenID provider that people may sign in to the console with, with the three settings below. Register ' +
      '/console/sign-in/callback below the public address as its redirect URI. Default: passwords alone',
  },
  SERVICE_OIDC_CLIENT_ID: { schema: z.string().min(1).optional(), purpose: 'Client that it has for the service' },
  SERVICE_OIDC_CLIENT_SECRET: { schema: z.string().min(1).optional(), purpose: 'Secret of that client' },
  SERVICE_OIDC_WORKSPACE: {
    schema: slug.optional(),
    purpose: 'Workspace whose members sign in by it. It adds no members, and nobody gets into another workspace',
  },
  SERVICE_OIDC_CLAIM: {
    schema: z
      .string()
      .regex(/^[\w:./-]{1,200}$/, 'must be the name of a claim')
      .default('email')
      .meta({ description: 'name of a claim' }),
    purpose:
      'Claim whose value is the name of a member. Choose one that people cannot change themselves. email counts only ' +
      'with email_verified',
  },
  REDIS_URL: {
    schema: parsedBy(parseRedisAddress)
      .meta({ description: 'URL, `redis://`, `rediss://`, `redis-sentinel://` or `rediss-sentinel://`' })
      .optional(),
    purpose:
      'Redis for the queues of background work, with maxmemory-policy noeviction: a server, or the Sentinels of one, ' +
      'as redis-sentinel://HOST:PORT,HOST:PORT/DATABASE?sentinelMasterId=NAME. While it is unavailable, only ' +
      'background work waits. Default: queues in the database',
  },
  S3_ENDPOINT: {
    schema: url('http:', 'https:').refine(isOrigin, 'must be a scheme, a host and a port only').optional(),
    purpose:
      'S3 server (AWS, MinIO, Ceph) for the bytes of evidence, with the three settings below. While it is ' +
      'unavailable, only evidence waits. Default: files under objects/ in the data folder',
  },
  S3_BUCKET: {
    schema: z
      .string()
      .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
      .meta({ description: 'name of a bucket' })
      .optional(),
    purpose: 'Bucket for the bytes of evidence, without object lock; the service uses only objects/ in it',
  },
  S3_ACCESS_KEY: { schema: z.string().min(1).optional(), purpose: 'Key that may write, read, delete and list in it' },
  S3_SECRET_KEY: { schema: z.string().min(1).optional(), purpose: 'Secret of that key' },
  S3_REGION: {
    schema: z
      .string()
      .regex(/^[a-z0-9-]{1,40}$/, 'must be the name of a region')
      .meta({ description: 'name of a region' })
      .optional(),
    purpose: 'Region of the bucket. Default: us-east-1, which self-hosted servers usually use',
  },
  S3_URL_STYLE: {
    schema: z.enum(['path', 'virtual-host'], 'must be path or virtual-host').default('path'),
    purpose:
      "Where a request names the bucket: in the path, or as the first part of the host. Amazon's own servers get the " +
      'second form in any case',
  },
  SERVICE_HEADS: {
    schema: z
      .string()
      .regex(/^(s3|folder:.+)$/, 'must be s3, or folder: and the path of a folder')
      .meta({ description: '`s3`, or `folder:` and a path' })
      .optional(),
    purpose:
      'Where the heads of the logs are kept outside the database: one place for all processes of an ' +
      'installation, which a restore of the database does not touch. Default: `heads/` in the bucket where ' +
      '`S3_ENDPOINT` is set, or else `heads/` in the data folder',
  },
  SERVICE_OUTBOUND_ALLOW: {
    schema: z
      .string()
      .refine(
        isParsedBy(parseAllowList),
        'must be host:port entries separated by commas, such as witness.internal:8443,[fd00::1]:8080; the port * ' +
          'is any',
      )
      .meta({ description: '`host:port,…`' })
      .optional(),
    purpose:
      'Addresses that tenants may have the service call besides public https addresses: witnesses and time-stamp ' +
      'authorities in your own network or on this machine, also over http. The port `*` allows every port of the ' +
      'host',
  },
  SERVICE_CHECK_REPLIES: {
    schema: z.enum(['off', 'on'], 'must be off or on').default('off'),
    purpose: 'For tests: `on` logs every reply that the API description does not allow, and responds with 500 instead',
  },
  SERVICE_WARM_START: {
    schema: z.enum(['off', 'on'], 'must be off or on').default('on'),
    purpose:
      'Whether a process that records answers rehearses it in memory before it is ready, for a second or two, so ' +
      'that the first callers do not wait for code to be compiled',
  },
  SERVICE_BACKUP_DAYS: {
    schema: days.default(30),
    purpose:
      'How many days you keep backups of the database. The service reports redacted and expired text as present ' +
      'in backups until then. 0: no backups',
  },
  SERVICE_WITNESS_NAME: {
    schema: z.string().min(1).optional(),
    purpose:
      'For a witness (`npm run witness`): the name of its key, such as `witness.example/w1`. Set it at the first ' +
      'start and never change it',
  },
  SERVICE_WITNESS_LOGS: {
    schema: z.string().min(1).optional(),
    purpose:
      'For a witness: a file that lists the logs it cosigns, one vkey per line or in the format of the witness network',
  },
  SERVICE_CONNECTIONS_MAX: {
    schema: wholeNumber(10, 100_000).default(CONNECTIONS_MAX_DEFAULT),
    purpose:
      'Maximum number of connections to the API, and of those to the port of gRPC. Near the limit, the longest idle ' +
      'ones are closed; beyond it, new ones are',
  },
  SERVICE_MEMBERS_MAX: {
    schema: wholeNumber(1, 100_000).default(1_000),
    purpose: 'Members that a workspace may have, removed ones not counted; one more is 409 `limit_reached`',
  },
  SERVICE_TOKENS_MAX: {
    schema: wholeNumber(10, 1_000_000).default(10_000),
    purpose: 'Live tokens that a workspace may have; one more is 409 `limit_reached`, also for a login',
  },
  SERVICE_TOKEN_KEY_DAYS: {
    schema: wholeNumber(1, 3_650).default(90),
    purpose: 'Days that a key signs application tokens before the next one replaces it automatically',
  },
  SERVICE_TOKEN_KEY_LEAD_SECONDS: {
    schema: wholeNumber(1, 43_200).default(3_600),
    purpose:
      'Seconds that the next key is published before it signs. Must exceed the 300 seconds that others may cache ' +
      '/.well-known/jwks.json',
  },
  SERVICE_OTLP_GRPC_PORT: {
    schema: port.optional(),
    purpose:
      'Port of OTLP over gRPC, which is off without it; exporters expect 4317. It uses TLS where the API port does; 0 ' +
      'takes a free one',
  },
  SERVICE_OTLP_BODY_BYTES_MAX: {
    schema: wholeNumber(1_024, 67_108_864).default(16_777_216),
    purpose: 'Largest body of an OTLP request in bytes, both as sent and decompressed',
  },
  SERVICE_OTLP_IN_HAND_BYTES_MAX: {
    schema: wholeNumber(1_048_576, 999_999_999).default(67_108_864),
    purpose:
      'Total bytes of the OTLP request bodies that one process handles at once; beyond it, requests get 503 and ' +
      'exporters retry',
  },
  SERVICE_OTLP_ITEMS_MAX: {
    schema: wholeNumber(1, 1_000_000).default(OTLP_LIMITS.itemsMax),
    purpose: 'Maximum number of spans or log records per OTLP request',
  },
  SERVICE_OTLP_ATTRIBUTES_MAX: {
    schema: wholeNumber(1, 100_000).default(OTLP_LIMITS.attributesMax),
    purpose:
      'Maximum number of attributes of an OTLP span, event, log record, resource or scope; only an item with ' +
      'more is refused',
  },
  SERVICE_OTLP_ATTRIBUTE_BYTES_MAX: {
    schema: wholeNumber(1_024, 16_777_216).default(OTLP_LIMITS.textMaxBytes),
    purpose: 'Maximum size of an OTLP text in bytes; only an item with a longer text is refused',
  },
  SERVICE_OTLP_DEPTH_MAX: {
    schema: wholeNumber(1, 64).default(OTLP_LIMITS.depthMax),
    purpose: 'Maximum nesting of an OTLP value; only an item with deeper nesting is refused',
  },
  SERVICE_OTLP_WAIT_SECONDS: {
    schema: wholeNumber(1, 604_800).default(900),
    purpose: 'How long an OTLP trace waits for the record with its key before it is listed as unattached',
  },
  SERVICE_OTLP_TRACE_WAIT_SECONDS: {
    schema: wholeNumber(1, 3_600).default(60),
    purpose: 'How long an OTLP trace whose root has not come must be quiet before it is decided without it',
  },
  SERVICE_OTLP_LEDGER_WAIT_MS: {
    schema: wholeNumber(0, 10_000).default(2_000),
    purpose:
      'How long an OTLP request waits in milliseconds until its records are in the ledger; what is not by then is ' +
      'recorded soon afterwards. `0`: always afterwards',
  },
  SERVICE_TRACES_URL: {
    schema: url('http:', 'https:').optional(),
    purpose:
      'Where the service sends traces of its own work: the address of a collector for OTLP over HTTP with its path, ' +
      'such as http://collector:4318/v1/traces. They contain no texts, parameters, tokens or addresses. ' +
      'OTEL_EXPORTER_OTLP_CERTIFICATE names the file of an authority. Default: what the variables of OpenTelemetry ' +
      'below say',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: url('http:', 'https:').optional(),
    purpose:
      'The same in the form of OpenTelemetry, without v1/traces at its end, which is added. One that leads to this ' +
      'service itself is not used',
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
    schema: url('http:', 'https:').optional(),
    purpose: 'The same for traces alone, used as it is',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    schema: z.string().min(1).meta({ description: '`NAME=VALUE,…` with percent codes' }).optional(),
    purpose: 'Headers of the requests that send traces, such as the token of a collector',
  },
  OTEL_EXPORTER_OTLP_PROTOCOL: {
    schema: z.string().min(1).optional(),
    purpose:
      'With the two endpoints above: traces are sent if it is http/protobuf or unset, and with no other protocol',
  },
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: {
    schema: z.string().min(1).optional(),
    purpose: 'The same for traces alone',
  },
  OTEL_TRACES_EXPORTER: {
    schema: z.string().min(1).optional(),
    purpose: 'none sends no traces. otlp sends them, to http://localhost:4318 where no endpoint is set',
  },
  OTEL_SDK_DISABLED: { schema: z.string().min(1).optional(), purpose: 'true sends no traces' },
  OTEL_SERVICE_NAME: {
    schema: z.string().max(200, 'must have at most 200 characters').optional(),
    purpose: 'service.name of the traces. Default: answer-evidence- and the role of the process',
  },
  SERVICE_TRACES_PERCENT: {
    schema: wholeNumber(1, 100).default(100),
    purpose: 'How many of a hundred traces are made and sent',
  },
  SERVICE_LOG_LEVEL: {
    schema: z.enum(['debug', 'info', 'warn', 'error'], 'must be debug, info, warn or error').default('warn'),
    purpose: 'Log level; logs are JSON lines on standard output. `info` logs every request',
  },
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
    assertWhole(parsed.data, ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY', 'S3_SECRET_KEY'], ['S3_REGION']);
    assertWhole(parsed.data, ['SERVICE_TLS_CERT_FILE', 'SERVICE_TLS_KEY_FILE'], []);
    assertWhole(
      parsed.data,
      ['SERVICE_OIDC_ISSUER', 'SERVICE_OIDC_CLIENT_ID', 'SERVICE_OIDC_CLIENT_SECRET', 'SERVICE_OIDC_WORKSPACE'],
      [],
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

/** Throws `StartError` when only some of the settings that belong together are there. */
function assertWhole(config: Config, together: readonly (keyof Config)[], besides: readonly (keyof Config)[]): void {
  const given = together.filter((name) => config[name] !== undefined);
  const [present = besides.find((name) => config[name] !== undefined)] = given;
  const missing = together.filter((name) => config[name] === undefined);
  if (present === undefined || missing.length === 0) return;
  throw new StartError(`${present} is set, but ${missing.join(', ')} is not; set all of them or none`);
}
