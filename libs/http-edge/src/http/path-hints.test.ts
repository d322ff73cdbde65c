import { describe, expect, it } from '@jest/globals';
import { createPathHints } from './path-hints.ts';

const RECORDS = '/api/answer-audit-logs';
const RECORD = `${RECORDS}/{answer_log_id}`;
const hints = createPathHints([
  { method: 'GET', path: RECORDS },
  { method: 'POST', path: RECORDS },
  { method: 'GET', path: `${RECORDS}/export` },
  { method: 'GET', path: RECORD },
  { method: 'POST', path: `${RECORD}/events` },
  { method: 'GET', path: `${RECORD}/ledger/verify` },
  { method: 'POST', path: `${RECORDS}/otel` },
  { method: 'POST', path: `${RECORDS}/otel/v1/traces` },
  { method: 'POST', path: `${RECORDS}/otel/v1/logs` },
  { method: 'GET', path: '/api/tokens' },
  { method: 'GET', path: '/tlog/{workspace}/{+path}' },
]);
const ID = '0199f3c2-0000-7000-8000-000000000001';

describe('a path at which nothing is', () => {
  it.each([
    ['/api/v1/answer-audit-logs', RECORDS],
    ['/answer-audit-logs', RECORDS],
    [`${RECORDS}/`, RECORDS],
    [`//api//answer-audit-logs`, RECORDS],
    ['/api/answer-audit-log', RECORDS],
    ['/api/answer_audit_logs', RECORDS],
    ['/API/AnswerAuditLogs', RECORDS],
    [`${RECORDS}/exports`, `${RECORDS}/export`],
    [`/api/v1/answer-audit-logs/${ID}`, RECORD],
    [`${RECORDS}/${ID}/`, RECORD],
    [`${RECORDS}/${ID}/event`, `${RECORD}/events`],
    [`${RECORDS}/${ID}/verify`, `${RECORD}/ledger/verify`],
    ['/v1/traces', `${RECORDS}/otel/v1/traces`],
    ['/v1/logs/', `${RECORDS}/otel/v1/logs`],
    [`${RECORDS}/v1/traces`, `${RECORDS}/otel/v1/traces`],
    ['/otlp/v1/traces', `${RECORDS}/otel/v1/traces`],
    // What an exporter makes of an address that is whole already.
    [`${RECORDS}/otel/v1/traces/v1/traces`, `${RECORDS}/otel/v1/traces`],
    [`${RECORDS}/otel/v1/traces/v1/logs`, `${RECORDS}/otel/v1/logs`],
    ['/tlog/demo', '/tlog/{workspace}/{path}'],
  ])('%s is told to be %s', (path, meant) => {
    expect(hints.describeMissing(path)).toBe(`no resource exists at this path; did you mean ${meant}?`);
  });

  it.each(['/', '/nothing', '/wp-login.php', `/${'x/'.repeat(200)}`, `/${'a'.repeat(100)}`, '/api/{x}', '/api'])(
    '%.20s is like none, and the description is named',
    (path) => {
      const told = 'no resource exists at this path; see GET /api/openapi.json for every path';
      expect(hints.describeMissing(path)).toBe(told);
    },
  );
});

describe('what is asked for here and is elsewhere', () => {
  it.each(['/livez', '/readyz', '/metrics', '/metrics/'])('%s is on another port', (path) => {
    expect(hints.describeMissing(path)).toMatch(/at the port of the metrics \(SERVICE_METRICS_PORT\)/);
  });

  it.each(['/v1/metrics', `${RECORDS}/otel/v1/metrics`, `${RECORDS}/otel/v1/profiles`])(
    '%s is no signal here',
    (path) => {
      expect(hints.describeMissing(path)).toMatch(/send only traces and logs/);
    },
  );
});

describe('a method that a path does not take', () => {
  it.each([
    ['POST', RECORD, `; POST is supported at ${RECORDS}, ${RECORD}/events`],
    ['DELETE', RECORD, ''],
    ['GET', `${RECORDS}/otel`, `; GET is supported at ${RECORDS}`],
    [undefined, RECORD, ''],
  ])('%s %s is told the methods, and where it is taken nearby', (method, path, more) => {
    expect(hints.describeMethod(path, method, 'GET, HEAD')).toBe(`this path supports only GET, HEAD${more}`);
  });
});
