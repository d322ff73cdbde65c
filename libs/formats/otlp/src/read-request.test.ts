import { describe, expect, it } from '@jest/globals';
import { encodeRequest } from '../fixtures/oracle.ts';
import { readRequest, tellSignal } from './index.ts';

describe('a request', () => {
  it('reads', () => {
    const spans = [
      {
        traceId: new Uint8Array(16).fill(1),
        spanId: new Uint8Array(8).fill(2),
        name: 'x',
        startTimeUnixNano: '5',
        attributes: [{ key: 'a', value: { intValue: '-9007199254740993' } }],
      },
    ];
    const bytes = encodeRequest('traces', { resourceSpans: [{ scopeSpans: [{ spans }] }] });
    expect(tellSignal(bytes)).toBe('traces');
    expect(readRequest(bytes, 'protobuf', undefined)).toMatchObject({
      items: [{ traceId: '01'.repeat(16), attributes: [{ key: 'a', value: -9007199254740993n }] }],
    });
    expect(
      readRequest(
        new TextEncoder().encode(
          JSON.stringify({
            resourceSpans: [
              { scopeSpans: [{ spans: [{ ...spans[0], traceId: '01'.repeat(16), spanId: '02'.repeat(8) }] }] },
            ],
          }),
        ),
        'json',
        undefined,
      ),
    ).toEqual(readRequest(bytes, 'protobuf', 'traces'));
  });
});
