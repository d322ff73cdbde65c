import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import root from 'otlp-transformer-oracle/build/src/generated/root.js';
import { readJsonRequest, readTracesRequest } from '@answer-evidence/otlp';
import type { Bench } from '../bench.ts';
import { createFigure, type Figure, type Result } from '../figures.ts';
import { createSpanBatch } from '../load/span-batch.ts';

const BATCH = 512;
const WARM_UP_SECONDS = 1;
const WORK = `decoding OTLP batches of ${BATCH} spans, one thread`;

type Contender = { readonly name: string; readonly decode: () => void };

/** The code that OpenTelemetry generated for protobufjs, which describes itself as less than it is. */
const { ExportTraceServiceRequest } = (
  root as unknown as {
    opentelemetry: {
      proto: {
        collector: { trace: { v1: Record<'ExportTraceServiceRequest', { decode(bytes: Uint8Array): unknown }> } };
      };
    };
  }
).opentelemetry.proto.collector.trace.v1;

/**
 * Measurement 6: spans a second that one thread reads of protobuf, against protobufjs, which leaves ids as bytes and
 * checks no text, and against `JSON.parse` of the same batch; and of JSON, against the same `JSON.parse`. In turns, so
 * that a machine that slows down slows all.
 */
export function measureOtlpDecoding({ options, progress }: Pick<Bench, 'options' | 'progress'>): readonly Result[] {
  const spans = createSpanBatch(BATCH);
  const protobuf = bytesOf(ProtobufTraceSerializer.serializeRequest(spans));
  const json = bytesOf(JsonTraceSerializer.serializeRequest(spans));
  const text = new TextDecoder().decode(json);
  expectAll(readTracesRequest(protobuf).items.length);
  expectAll(readJsonRequest(json, 'traces').items.length);
  progress(`a batch of ${protobuf.length} bytes of protobuf, ${json.length} of JSON`);

  const ours: Contender = { name: 'spans of protobuf', decode: () => void readTracesRequest(protobuf) };
  const oursOfJson: Contender = { name: 'spans of JSON', decode: () => void readJsonRequest(json, 'traces') };
  const generated: Contender = { name: 'protobufjs', decode: () => void ExportTraceServiceRequest.decode(protobuf) };
  const native: Contender = { name: 'JSON.parse alone', decode: () => void JSON.parse(text) };
  const figures = measureInTurns([ours, oursOfJson, generated, native], options, progress);

  const compare = (measured: Contender, against: Contender): Result => {
    const [one, other] = [figures.get(measured), figures.get(against)];
    if (one === undefined || other === undefined) throw new Error('a contender was not measured');
    const ratio = one.median / other.median;
    return { number: 6, work: WORK, measured: one, against: other, ratio, target: 'none', holds: null };
  };
  return [compare(ours, generated), compare(ours, native), compare(oursOfJson, native)];
}

function measureInTurns(
  contenders: readonly Contender[],
  { rounds, roundSeconds }: Bench['options'],
  progress: Bench['progress'],
): ReadonlyMap<Contender, Figure> {
  const values = new Map<Contender, number[]>(contenders.map((contender) => [contender, []]));
  for (const { decode } of contenders) measureRate(decode, WARM_UP_SECONDS);
  for (let round = 1; round <= rounds; round++) {
    for (const contender of contenders) {
      const rate = measureRate(contender.decode, roundSeconds / contenders.length);
      values.get(contender)?.push(rate);
      progress(`round ${round} of ${rounds}: ${contender.name}: ${Math.round(rate)} spans/s`);
    }
  }
  return new Map([...values].map(([contender, rates]) => [contender, createFigure(contender.name, '/s', rates)]));
}

function measureRate(decode: () => void, seconds: number): number {
  const start = performance.now();
  let elapsedMs = 0;
  let batches = 0;
  while (elapsedMs < seconds * 1000) {
    decode();
    batches += 1;
    elapsedMs = performance.now() - start;
  }
  return (batches * BATCH) / (elapsedMs / 1000);
}

function bytesOf(bytes: Uint8Array | undefined): Uint8Array {
  if (bytes === undefined) throw new Error('the SDK has written nothing');
  return new Uint8Array(bytes);
}

/** A reader that stops early is fast. */
function expectAll(items: number): void {
  if (items !== BATCH) throw new Error(`${items} of ${BATCH} spans were read`);
}
