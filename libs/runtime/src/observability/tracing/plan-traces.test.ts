import { describe, expect, it } from '@jest/globals';
import { parseConfig } from '../../ground/config.ts';
import { planTraces } from './plan-traces.ts';

type Environment = Readonly<Record<string, string>>;

const plan = (environment: Environment) => planTraces(parseConfig(environment));

describe('traces of the service', () => {
  it.each<readonly [Environment, string]>([
    [{ SERVICE_TRACES_URL: 'http://collector:4318/in' }, 'http://collector:4318/in'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }, 'http://collector:4318/v1/traces'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://c.example/otlp/' }, 'https://c.example/otlp/v1/traces'],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector/in' }, 'http://collector/in'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://b/x' }, 'http://b/x'],
    [{ SERVICE_TRACES_URL: 'http://a/x', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://b/x' }, 'http://a/x'],
    [{ OTEL_TRACES_EXPORTER: 'otlp' }, 'http://localhost:4318/v1/traces'],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' },
      'http://c:4318/v1/traces',
    ],
    [
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4317',
        OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c:4318/v1/traces',
        OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf',
      },
      'http://c:4318/v1/traces',
    ],
  ])('with %j go to %s', (environment, url) => {
    expect(plan(environment)).toEqual({ url });
  });

  it.each<Environment>([
    {},
    { OTEL_SERVICE_NAME: 'x' },
    { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_TRACES_EXPORTER: 'none' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_TRACES_EXPORTER: 'console' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_SDK_DISABLED: 'TRUE' },
    { SERVICE_TRACES_URL: 'http://c/v1/traces', OTEL_SDK_DISABLED: 'true' },
  ])('are off with %j', (environment) => {
    expect(plan(environment)).toBeUndefined();
  });

  it('are off, in words, with a protocol that the service does not send', () => {
    const refused = plan({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4317', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' });
    expect(refused).toEqual({ refused: expect.stringMatching(/OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http\/protobuf/) });
  });

  it.each<Environment>([
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://anywhere.example/api/answer-audit-logs/otel' },
    { SERVICE_TRACES_URL: 'https://anywhere.example/base/api/answer-audit-logs/otel/v1/traces' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:8080' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://[::1]:9464' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://10.0.0.7:80', SERVICE_HTTP_HOST: '10.0.0.7', SERVICE_HTTP_PORT: '80' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4317', SERVICE_OTLP_GRPC_PORT: '4317' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://answers.example', SERVICE_BASE_URL: 'https://answers.example' },
  ])('never go into the service itself: %j', (environment) => {
    expect(plan(environment)).toEqual({ refused: expect.stringMatching(/leads to this service itself/) });
  });

  it('have the headers that authenticate them, of which nothing malformed is sent', () => {
    const OTEL_EXPORTER_OTLP_HEADERS = 'authorization=Bearer%20a%2Bb, x-tenant = c ,=d,e,f=%G1,bad name=g';
    const planned = plan({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_EXPORTER_OTLP_HEADERS });
    expect(planned).toEqual({ url: 'http://c/v1/traces', headers: expect.any(Function) });
    expect(planned !== undefined && 'url' in planned && planned.headers?.()).toEqual({
      authorization: 'Bearer a+b',
      'x-tenant': 'c',
    });
  });

  it('go to a collector below the domain of the workspaces', () => {
    const SERVICE_BASE_URL = 'https://{workspace}.a.example';
    expect(plan({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otel.a.example', SERVICE_BASE_URL })).toEqual({
      url: 'https://otel.a.example/v1/traces',
    });
  });
});
