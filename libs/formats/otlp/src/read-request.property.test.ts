import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type JsonStyle, type Request, requests, toItems, toJson, toProtobuf } from '../fixtures/requests.ts';
import { type OtlpEncoding, readRequest } from './index.ts';

const style: fc.Arbitrary<JsonStyle> = fc.record({
  integers: fc.constantFrom('string' as const, 'number' as const),
  ids: fc.constantFrom('lower' as const, 'upper' as const),
});

describe('a request', () => {
  it('says the same in protobuf and in JSON, whichever of the forms of JSON it has', () => {
    fc.assert(
      fc.property(requests, style, (request, chosen) => {
        const items = toItems(request);
        const whole = { signal: request.signal, items, rejected: [] };
        expect(readRequest(toProtobuf(request), 'protobuf', request.signal)).toEqual(whole);
        expect(readRequest(toJson(request, chosen), 'json', request.signal)).toEqual(whole);
      }),
      { numRuns: 400 },
    );
  });

  it('tells its signal, unless nothing in it does', () => {
    fc.assert(
      fc.property(requests, style, (request, chosen) => {
        const items = toItems(request);
        expectSignal(request, toProtobuf(request), 'protobuf', items.length);
        expectSignal(request, toJson(request, chosen), 'json', items.length);
      }),
      { numRuns: 200 },
    );
  });
});

function expectSignal(request: Request, body: Uint8Array, encoding: OtlpEncoding, items: number): void {
  const batch = readRequest(body, encoding, undefined);
  expect(batch.items).toHaveLength(items);
  if (items > 0) expect(batch.signal).toBe(request.signal);
}
