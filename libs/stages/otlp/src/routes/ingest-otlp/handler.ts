import type { z } from 'zod';
import { actorOf, boundApplication } from '@answer-evidence/access';
import {
  exportLogsServiceRequest,
  exportLogsServiceResponse,
  exportServiceRequest,
  exportServiceResponse,
  exportTraceServiceRequest,
  exportTraceServiceResponse,
  type SettingsValues,
} from '@answer-evidence/contracts';
import { formatExportResponse } from '@answer-evidence/otlp';
import {
  type AnswerItem,
  applyRules,
  findFacts,
  findIgnored,
  findNamedIds,
  findNamesOfKinds,
  formatRejections,
  type OtlpSignal,
  reduceItems,
  type RejectedItem,
} from '@answer-evidence/otlp-mapping';
import { createHashKeys } from '@answer-evidence/preparation';
import { authenticated, type ByteBudget, defineRoute, rawBody, type Route } from '@answer-evidence/routes';
import type { OtlpDeps } from '../../deps.ts';
import { describeIgnored, type IgnoredTally } from '../../ignored/ignored-tally.ts';
import { createAcceptItems } from '../../inbox/accept-items.ts';
import { hashIds } from '../../inbox/hash-ids.ts';
import { createSortTraces } from '../../inbox/sort-traces.ts';
import { readBatch } from '../read-batch.ts';
import { encodingOf, MEDIA_TYPES, STATUS_FORM } from './problem-form.ts';

const BASE = '/api/answer-audit-logs/otel';

/** What each path takes; the bare one takes both, and the body tells. */
const PATHS: readonly {
  readonly path: string;
  readonly operationId: string;
  readonly signal: OtlpSignal | undefined;
  readonly grpcMethod?: string;
  readonly request: z.ZodType;
  readonly response: z.ZodType;
}[] = [
  {
    path: BASE,
    operationId: 'ingestOtlp',
    signal: undefined,
    request: exportServiceRequest,
    response: exportServiceResponse,
  },
  {
    path: `${BASE}/v1/traces`,
    operationId: 'ingestOtlpTraces',
    signal: 'traces',
    grpcMethod: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
    request: exportTraceServiceRequest,
    response: exportTraceServiceResponse,
  },
  {
    path: `${BASE}/v1/logs`,
    operationId: 'ingestOtlpLogs',
    signal: 'logs',
    grpcMethod: '/opentelemetry.proto.collector.logs.v1.LogsService/Export',
    request: exportLogsServiceRequest,
    response: exportLogsServiceResponse,
  },
];

/** `POST …/otel`, `…/otel/v1/traces` and `…/otel/v1/logs`: OTLP 1.11 over HTTP, and over gRPC where it is on. */
export function ingestOtlpRoutes(deps: OtlpDeps, tally: IgnoredTally, bodyBudget: ByteBudget): readonly Route[] {
  const hashKeys = createHashKeys(deps.administration);
  const accept = createAcceptItems(deps, hashKeys);
  const sortTraces = createSortTraces(deps);
  return PATHS.map(({ path, operationId, signal, grpcMethod, request: bodySchema, response: schema }) =>
    defineRoute({
      method: 'POST',
      path,
      operationId,
      summary: `Receive ${signal ?? 'traces or logs'} from an OpenTelemetry exporter`,
      access: 'records.create',
      rateLimit: 'create',
      ...(grpcMethod === undefined ? {} : { grpcMethod }),
      bodyFormat: 'bytes',
      body: rawBody,
      bodyBytesMax: deps.otlpBodyBytesMax,
      bodyTypes: Object.values(MEDIA_TYPES),
      bodySchema,
      bodyMayBeGzip: true,
      bodyBudget,
      compressReplies: true,
      crossOrigin: true,
      problemForm: STATUS_FORM,
      responses: {
        200: {
          description:
            'An ExportTraceServiceResponse or ExportLogsServiceResponse in the encoding of the request; its partial success lists the rejected items',
          schema,
          contentType: Object.values(MEDIA_TYPES),
        },
      },
      digest(body, contentType) {
        const { items, ...batch } = readBatch(body, contentType, signal, deps.otlpLimits);
        const reduced = reduceItems(items);
        const [facts, names] = [findFacts(items, reduced), findNamesOfKinds(items, reduced)];
        return { batch, items: reduced, ids: findNamedIds(items, reduced), facts, names };
      },
      async handle(request) {
        const caller = authenticated(request.caller);
        const encoding = encodingOf(request.header('content-type'));
        const { batch, items, ids, facts, names } = request.body;
        const bound = boundApplication(caller);
        const workspace = await deps.directory.get(caller.workspaceId);
        const sort = async (settings: SettingsValues) => {
          const { answer_audit_otlp_rules: rules } = settings;
          const hashed = await hashIds(hashKeys, workspace, settings, items, ids);
          const { items: ruled } = applyRules(hashed, facts, rules);
          const sorted = await sortTraces(workspace.id, ruled, bound);
          const isRuled = rules.length > 0;
          return { ...sorted, ...sortByApplication(sorted.decided.items, bound), ruled, isRuled };
        };
        const { sorted, rejected: refused } = await accept(workspace, sort, actorOf(caller));
        const { decided, held, crowdedOut, own, foreign, ruled } = sorted;
        const ignorable = findIgnored(ruled, names);
        const rejected = [...batch.rejected, ...decided.rejected, ...foreign, ...refused];
        const { ignored, droppedAttributes } = decided;
        const accepted = own.length + foreign.length + decided.rejected.length;
        deps.onItems?.({
          accepted: Math.max(0, own.length - refused.length),
          rejected: rejected.length,
          ignored,
          held: Math.max(0, items.length - ignored - accepted),
          droppedAttributes,
        });
        if (crowdedOut > 0) deps.onTraces?.('too_many', crowdedOut);
        const answered = new Set([...decided.items, ...rejected, ...held].map(({ traceId }) => traceId));
        tally.note({ workspaceId: caller.workspaceId, bound, ignored: ignorable, answered });
        const warning = answered.size === 0 ? describeIgnored(ignorable) : '';
        const refusals = rejected.length > 0 ? [formatRejections(batch.signal, rejected)] : [];
        const message = [...refusals, ...(batch.warning === undefined ? [] : [batch.warning])].join('; ') || warning;
        return {
          status: 200,
          contentType: MEDIA_TYPES[encoding],
          body: formatExportResponse(batch.signal, encoding, { rejected: rejected.length, message }),
        };
      },
    }),
  );
}

/** A token of an application brings in that application's items alone. */
function sortByApplication(
  items: readonly AnswerItem[],
  bound: string | undefined,
): { readonly own: readonly AnswerItem[]; readonly foreign: readonly RejectedItem[] } {
  if (bound === undefined) return { own: items, foreign: [] };
  const reason = 'its service.name differs from the application key of the token (application_not_allowed)';
  return {
    own: items.filter(({ applicationKey }) => applicationKey === bound),
    foreign: items
      .filter(({ applicationKey }) => applicationKey !== bound)
      .map(({ index, traceId, spanId }) => ({ index, traceId, spanId, reason })),
  };
}
