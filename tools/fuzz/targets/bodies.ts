import { createSecureContext } from 'node:tls';
import type { z } from 'zod';
import {
  createStreamRequest,
  type JsonValue,
  placeHoldRequest,
  releaseHoldRequest,
  requestApprovalRequest,
  requestedAct,
  ServiceError,
  streamDestination,
} from '@answer-evidence/contracts';
import { IN_OUR_WORDS } from '@answer-evidence/contracts/describe-issues';
import { canonicalize, JsonError, parseJsonText, parseSubmittedJson } from '@answer-evidence/encoding';
import { createOutboundHttp, createOutboundTls, parseAllowList } from '@answer-evidence/outbound-http';
import { bodyViolation } from '../../../libs/http-edge/src/http/schema-errors.ts';
import { assertReachable } from '../../../libs/stages/workspace/src/streams/change-stream.ts';
import { assertSame, Fault, type Target, textOf } from '../target.ts';

const RULES = { allowList: parseAllowList('') };
/** Addresses and certificates are judged without a connection. */
const DESTINATIONS = {
  outbound: createOutboundHttp(RULES),
  outboundTls: createOutboundTls(RULES),
  buckets: {} as Parameters<typeof assertReachable>[0]['buckets'],
};
/** What stands between the certificates and the key of an input. */
const KEY_BEGINS = /(?=-----BEGIN (?!CERTIFICATE))/;
const JSON_WORDS = ['null', '[]', '{}', '""', '-1', '1e21', '"\\u0000"', '"\\ud800"', '"\u202e"', '"__proto__":{}'];

/** Reads a body as a route does. Undefined where it is refused, which the caller is told in a few short lines. */
function readBody<T extends z.ZodType>(schema: T, input: Uint8Array): z.output<T> | undefined {
  const { success, data, error } = schema.safeParse(parseSubmittedJson(input), IN_OUR_WORDS);
  if (success) return data;
  const { errors = [] } = bodyViolation(error.issues);
  if (errors.length === 0 || errors.length > 20) throw new Fault(`${errors.length} faults are told`);
  const long = errors.find(({ pointer, detail }) => /\n/.test(detail) || pointer.length + detail.length > 2_000);
  if (long !== undefined) throw new Fault(`a fault is told in ${JSON.stringify(long).length} characters`);
  return undefined;
}

/** What is kept of a body is read as the same again, however often. */
function assertKept(schema: z.ZodType, value: unknown): void {
  const kept = canonicalize(value as JsonValue);
  const again = schema.safeParse(parseJsonText(kept));
  if (!again.success) throw new Fault(`what was kept is refused: ${again.error.message.slice(0, 300)}`);
  assertSame('what was kept is read as something else', canonicalize(again.data as JsonValue), kept);
}

function readCertificates(input: Uint8Array): void {
  const [certificate = '', ...keys] = textOf(input).split(KEY_BEGINS);
  const key = keys.join('');
  const { outboundTls } = DESTINATIONS;
  // What is accepted has to be what a connection takes.
  if (outboundTls.judgePems({ ca: certificate }) === undefined) createSecureContext({ ca: certificate });
  if (outboundTls.judgePems({ certificate, key }) === undefined) createSecureContext({ cert: certificate, key });
  outboundTls.judgePems({ key });
  outboundTls.judgePems({ ca: key });
}

/** Bodies that say what holds, what a second person approves, and where streams go. */
export const BODY_TARGETS: readonly Target[] = [
  {
    name: 'certificates',
    words: [
      ...['-----BEGIN CERTIFICATE-----', '-----END CERTIFICATE-----', '-----BEGIN RSA PRIVATE KEY-----', '-----'],
      ...['-----BEGIN EC PARAMETERS-----', 'BEGIN ENCRYPTED PRIVATE KEY', 'Proc-Type: 4,ENCRYPTED', 'MII', '='],
      ...['\r\n', ' ', '\u0000', '-----BEGIN X509 CRL-----', '-----BEGIN TRUSTED CERTIFICATE-----'],
    ],
    read: readCertificates,
    refusals: [],
  },
  {
    name: 'holds',
    words: [
      ...JSON_WORDS,
      ...['"filters":', '"answer_log_ids":', '"created_before":', '"matter":', '"status":"voided"'],
      ...['"0199f3c2-0000-7000-8000-000000000001"', '"2026-02-30T24:00:00Z"', '"9999-12-31T23:59:60.9999999+23:59"'],
    ],
    read(input) {
      readBody(releaseHoldRequest, input);
      const hold = readBody(placeHoldRequest, input);
      if (hold !== undefined) assertKept(placeHoldRequest, hold);
    },
    refusals: [JsonError],
  },
  {
    name: 'approvals',
    words: [
      ...JSON_WORDS,
      ...['"event":', '"settings":', '"trust_policy":', '"member":', '"hold":', '"hold_release":', '"export":'],
      ...['"pack":', '"payload":', '"access":', '"role":"manager"', '"event_type":"redacted"', '"version":'],
    ],
    read(input) {
      const body = readBody(requestApprovalRequest, input);
      if (body === undefined) return;
      const { reason: _, ...act } = body;
      assertKept(requestedAct, act);
    },
    refusals: [JsonError],
  },
  {
    name: 'streams',
    words: [
      ...JSON_WORDS,
      ...['"type":"https"', '"type":"syslog"', '"type":"s3"', '"url":', '"host":', '"port":', '"header":', '"ca_pem":'],
      ...['https://', 'http://[::1]:1', '127.0.0.1', '0x7f.1', '@', '%00', '\\r\\n', '\\n', 'Host', 'xn--', '。'],
    ],
    read(input) {
      const body = readBody(createStreamRequest, input);
      if (body === undefined) return;
      assertReachable(DESTINATIONS, body.destination);
      assertKept(streamDestination, body.destination);
    },
    refusals: [JsonError, ServiceError],
  },
];
