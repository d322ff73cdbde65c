import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import type { OtlpSignal } from '@answer-evidence/otlp-mapping';
import { AmbiguousValueError, readByOracle } from '../fixtures/normalize.ts';
import { createNumbers } from '../fixtures/numbers.ts';
import { createSdkBatch } from '../fixtures/sdk-batches.ts';
import { OtlpError, readLogsRequest, readRequest, readTracesRequest } from './index.ts';

const SIGNALS: readonly OtlpSignal[] = ['traces', 'logs'];

describe.each(SIGNALS)('%s of the JavaScript SDK', (signal) => {
  const whole = createSdkBatch(signal, 'protobuf');

  it('are read as the generated code of OpenTelemetry reads them', () => {
    const { items, rejected } = readByOracle(signal, whole);
    expect(items.length).toBeGreaterThan(1);
    expect(rejected).toEqual([]);
    expect(readRequest(whole, 'protobuf', undefined)).toEqual({ signal, items, rejected: [] });
  });

  it('are the same in JSON', () => {
    const json = createSdkBatch(signal, 'json');
    expect(readRequest(json, 'json', undefined)).toEqual(readRequest(whole, 'protobuf', undefined));
  });

  it('with bytes changed, are refused or read as the generated code reads them', () => {
    const number = createNumbers(signal === 'traces' ? 20_261_121 : 20_261_122);
    const seen = { same: 0, refused: 0 };
    for (let n = 0; n < 10_000; n++) {
      const bytes = whole.slice();
      for (let flips = 1 + number(3); flips > 0; flips--) {
        const at = number(bytes.length);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << number(8));
      }
      seen[compare(signal, bytes)]++;
    }
    // Both outcomes are common, so that neither half of the comparison is idle.
    expect(seen.same).toBeGreaterThan(1000);
    expect(seen.refused).toBeGreaterThan(1000);
  });

  it('with bytes put in, left out or doubled, are refused or read as the generated code reads them', () => {
    const number = createNumbers(signal === 'traces' ? 20_261_123 : 20_261_124);
    for (let n = 0; n < 5000; n++) {
      const from = number(whole.length);
      const to = from + number(24);
      const again = number(whole.length);
      compare(
        signal,
        Uint8Array.from([
          ...whole.subarray(0, from),
          ...whole.subarray(again, again + number(24)),
          ...whole.subarray(to),
        ]),
      );
    }
  });

  it('cut anywhere, are refused, or are whole items', () => {
    for (let size = 0; size < whole.length; size++) compare(signal, whole.slice(0, size));
  });

  it('in JSON with bytes changed, are refused or read, and nothing else happens', () => {
    const json = createSdkBatch(signal, 'json');
    const number = createNumbers(20_261_125);
    for (let n = 0; n < 5000; n++) {
      const bytes = json.slice(0, number(20) === 0 ? number(json.length) : json.length);
      for (let flips = 1 + number(3); flips > 0; flips--) bytes[number(bytes.length)] = number(256);
      expectReadOrRefused(() => readRequest(bytes, 'json', undefined));
    }
  });

  it('without any sense, are refused or read, and nothing else happens', () => {
    const number = createNumbers(20_261_126);
    for (let n = 0; n < 5000; n++) {
      const bytes = Uint8Array.from({ length: number(64) }, () => number(256));
      compare(signal, bytes);
    }
  });
});

/** Throws when our reader takes the bytes and the other one refuses them, or reads something else. */
function compare(signal: OtlpSignal, bytes: Uint8Array): 'same' | 'refused' {
  const batch = expectReadOrRefused(() => (signal === 'traces' ? readTracesRequest(bytes) : readLogsRequest(bytes)));
  if (batch === undefined) return 'refused';
  const oracle = readUnlessAmbiguous(signal, bytes);
  const ours = { items: batch.items, rejected: batch.rejected.map(({ index }) => index) };
  // The matcher is slow, and only has something to say of a difference.
  if (oracle !== undefined && !isDeepStrictEqual(ours, oracle)) expect(ours).toEqual(oracle);
  return 'same';
}

function readUnlessAmbiguous(signal: OtlpSignal, bytes: Uint8Array): ReturnType<typeof readByOracle> | undefined {
  try {
    return readByOracle(signal, bytes);
  } catch (error) {
    if (!(error instanceof AmbiguousValueError)) throw error;
    return undefined;
  }
}

function expectReadOrRefused<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof OtlpError)) throw error;
    return undefined;
  }
}
