import * as z from 'zod';
import {
  CONNECTIONS_MAX_DEFAULT,
  DEFAULT_RATE_LIMITS,
  parseCorsOrigins,
  parseRateLimits,
  parseTrustedProxies,
} from '@answer-evidence/http-edge';
import { isParsedBy, isPlaceholderWhole, port, url, wholeNumber } from '../setting-forms.ts';

/** The ports of a process, and how much and from whom they take. */
export const SERVER_SETTINGS = {
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
  SERVICE_BASE_URL: {
    schema: url('http:', 'https:')
      .refine(isPlaceholderWhole, 'may contain {workspace} once, at the start of its host, before a domain')
      .optional(),
    purpose:
      'Public address; its host becomes part of the origin of every new log. With {workspace} in the host, the ' +
      'host selects the workspace',
  },
  SERVICE_RATE_LIMITS: {
    schema: z
      .string()
      .refine(isParsedBy(parseRateLimits), `must be off, or a list such as ${DEFAULT_RATE_LIMITS} (units s, min, h)`)
      .default(DEFAULT_RATE_LIMITS)
      .meta({ description: '`off`, or a list of `NAME=COUNT/UNIT` or `NAME=off` (units `s`, `min`, `h`)' }),
    purpose:
      'Requests that one token, or one address where there is no token, may make of one process, and what its bodies ' +
      'may cost (kilobytes of those beyond 64 KiB, and milliseconds of a processor); a limit left out of the list keeps ' +
      'its default',
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
  SERVICE_HSTS_SECONDS: {
    schema: z
      .string()
      .regex(/^(?:off|\d{1,9})$/, 'must be off, or a number of seconds such as 31536000')
      .default('31536000')
      .meta({ description: '`off`, or a number of seconds' }),
    purpose:
      'How long browsers keep to HTTPS at this host, on all of its ports (Strict-Transport-Security). Sent where ' +
      'callers use HTTPS: with the two settings above, or with an https: SERVICE_BASE_URL, and never for localhost. ' +
      '0 makes browsers forget it',
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
  SERVICE_CONNECTIONS_MAX: {
    schema: wholeNumber(10, 100_000).default(CONNECTIONS_MAX_DEFAULT),
    purpose:
      'Maximum number of connections to the API, and of those to the port of gRPC. Near the limit, the longest idle ' +
      'ones are closed; beyond it, new ones are',
  },
  SERVICE_LOG_LEVEL: {
    schema: z.enum(['debug', 'info', 'warn', 'error'], 'must be debug, info, warn or error').default('warn'),
    purpose: 'Log level; logs are JSON lines on standard output. `info` logs every request',
  },
} as const;
