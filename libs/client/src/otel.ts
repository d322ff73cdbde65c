import type { ExplainRulesRequest, IgnoredFilters, UnattachedFilters } from '@answer-evidence/contracts';
import {
  explainOtlp,
  explainOtlpRules,
  getTraceFates,
  listIgnoredItems,
  listUnattachedTraces,
} from '@answer-evidence/contracts/operations';
import { formatBase64 } from '@answer-evidence/encoding';
import { createCalls } from './calls.ts';
import { compareItems, compareRepeated } from './compare/compare-repeated.ts';
import { type AssertSame, createAgree } from './compare/refuse.ts';
import type { PageRequest } from './records.ts';
import type { Send } from './transport.ts';

/** Operations on what came by OpenTelemetry. Sending it is the business of exporters. */
export type OtelApi = ReturnType<typeof createOtelApi>;

/** The operations on what came by OpenTelemetry over a transport. */
export function createOtelApi(send: Send, assertSame: AssertSame) {
  const { call } = createCalls(send);
  const agree = createAgree(assertSame);
  return {
    /** Traces that were accepted and belong to no record, with the reason, newest first. */
    unattached: async (filters: UnattachedFilters = {}, page: PageRequest = {}) =>
      agree(call(listUnattachedTraces, { query: { ...filters, ...page } }), (found) => compareItems(filters, found)),
    /** What would become of a request of an exporter, in protobuf or JSON, not compressed. Nothing of it is kept. */
    explain: async (bytes: Uint8Array) =>
      call(
        explainOtlp,
        {},
        {
          repeat: 'safe',
          upload: {
            contentType: contentTypeOf(bytes),
            async *open() {
              yield bytes;
              await Promise.resolve();
            },
          },
        },
      ),
    /** The same if these rules were in force. */
    explainRules: async (bytes: Uint8Array, rules: ExplainRulesRequest['rules']) => {
      const body = { request_base64: formatBase64(bytes), content_type: contentTypeOf(bytes), rules };
      return call(explainOtlpRules, { body }, { repeat: 'safe' });
    },
    /** How many items were accepted and left no record, by application, instrumentation and reason. */
    ignored: async (filters: IgnoredFilters = {}, page: PageRequest = {}) =>
      agree(call(listIgnoredItems, { query: { ...filters, ...page } }), (found) => compareItems(filters, found)),
    /** What became of the spans and log records of a trace, for 30 days. */
    trace: async (traceId: string) =>
      agree(call(getTraceFates, { params: { trace_id: traceId } }), (fates) =>
        compareRepeated({ trace_id: traceId.toLowerCase() }, fates),
      ),
  };
}

/** JSON begins with a bracket after white space, and has no other control characters; lengths of protobuf are some. */
function contentTypeOf(bytes: Uint8Array): ExplainRulesRequest['content_type'] {
  const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
  const first = bytes.find((byte) => !isSpace(byte));
  const isJson = (first === 0x7b || first === 0x5b) && bytes.every((byte) => byte >= 0x20 || isSpace(byte));
  return isJson ? 'application/json' : 'application/x-protobuf';
}
