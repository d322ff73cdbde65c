import { describe, expect, it } from '@jest/globals';
import { jsonBody } from '../fixtures/bodies.ts';
import { readRequest } from './index.ts';

// The requests of https://github.com/open-telemetry/opentelemetry-proto/tree/main/examples: trace.json, logs.json and
// events.json.
const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
const resource = { attributes: [text('service.name', 'my.service')] };
const scope = {
  name: 'my.library',
  version: '1.0.0',
  attributes: [text('my.scope.attribute', 'some scope attribute')],
};
const SERVICE = { attributes: [{ key: 'service.name', value: 'my.service' }] };
const LIBRARY = { name: 'my.library', version: '1.0.0' };
const TRACE_ID = '5b8efff798038103d269b633813fc60c';

const read = (request: object) => readRequest(jsonBody(request), 'json', undefined);

describe('the examples of the specification', () => {
  it('trace.json is one span', () => {
    const span = {
      traceId: TRACE_ID.toUpperCase(),
      spanId: 'EEE19B7EC3C1B174',
      parentSpanId: 'EEE19B7EC3C1B173',
      name: "I'm a server span",
      startTimeUnixNano: 1544712660000000000,
      endTimeUnixNano: 1544712661000000000,
      kind: 2,
      attributes: [text('my.span.attr', 'some value')],
    };
    expect(read({ resourceSpans: [{ resource, scopeSpans: [{ scope, spans: [span] }] }] })).toEqual({
      signal: 'traces',
      items: [
        {
          kind: 'span',
          index: 0,
          resource: SERVICE,
          scope: LIBRARY,
          traceId: TRACE_ID,
          spanId: 'eee19b7ec3c1b174',
          parentSpanId: 'eee19b7ec3c1b173',
          parentIsRemote: false,
          name: "I'm a server span",
          spanKind: 2,
          startTimeUnixNano: 1544712660000000000n,
          endTimeUnixNano: 1544712661000000000n,
          attributes: [{ key: 'my.span.attr', value: 'some value' }],
          events: [],
          statusCode: 0,
        },
      ],
      rejected: [],
    });
  });

  it('logs.json is one log record with an attribute of each kind', () => {
    const record = {
      timeUnixNano: 1544712660300000000,
      observedTimeUnixNano: 1544712660300000000,
      severityNumber: 10,
      severityText: 'Information',
      traceId: TRACE_ID.toUpperCase(),
      spanId: 'EEE19B7EC3C1B174',
      body: { stringValue: 'Example log record' },
      attributes: [
        text('string.attribute', 'some string'),
        { key: 'boolean.attribute', value: { boolValue: true } },
        { key: 'int.attribute', value: { intValue: 10 } },
        { key: 'double.attribute', value: { doubleValue: 637.704 } },
        {
          key: 'array.attribute',
          value: { arrayValue: { values: [{ stringValue: 'many' }, { stringValue: 'values' }] } },
        },
        { key: 'map.attribute', value: { kvlistValue: { values: [text('some.map.key', 'some value')] } } },
      ],
    };
    expect(read({ resourceLogs: [{ resource, scopeLogs: [{ scope, logRecords: [record] }] }] })).toEqual({
      signal: 'logs',
      items: [
        {
          kind: 'log',
          index: 0,
          resource: SERVICE,
          scope: LIBRARY,
          traceId: TRACE_ID,
          spanId: 'eee19b7ec3c1b174',
          eventName: '',
          timeUnixNano: 1544712660300000000n,
          severityNumber: 10,
          body: 'Example log record',
          attributes: [
            { key: 'string.attribute', value: 'some string' },
            { key: 'boolean.attribute', value: true },
            { key: 'int.attribute', value: 10 },
            { key: 'double.attribute', value: 637.704 },
            { key: 'array.attribute', value: ['many', 'values'] },
            { key: 'map.attribute', value: { members: [{ key: 'some.map.key', value: 'some value' }] } },
          ],
        },
      ],
      rejected: [],
    });
  });

  it('events.json is one event, though its map is no KeyValueList', () => {
    const record = {
      timeUnixNano: '1544712660300000000',
      observedTimeUnixNano: '1544712660300000000',
      severityNumber: 9,
      eventName: 'browser.page_view',
      attributes: [text('event.attribute', 'some event attribute')],
      body: { kvlistValue: [{ key: 'type', value: { intValue: '0' } }, text('title', 'Free Online GUID Generator')] },
    };
    expect(read({ resourceLogs: [{ resource, scopeLogs: [{ scope, logRecords: [record] }] }] }).items).toMatchObject([
      {
        eventName: 'browser.page_view',
        timeUnixNano: 1544712660300000000n,
        body: {
          members: [
            { key: 'type', value: 0 },
            { key: 'title', value: 'Free Online GUID Generator' },
          ],
        },
      },
    ]);
  });
});
