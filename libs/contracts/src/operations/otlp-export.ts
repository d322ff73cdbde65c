import type * as z from 'zod';
import {
  exportLogsServiceRequest,
  exportLogsServiceResponse,
  exportServiceRequest,
  exportServiceResponse,
  exportTraceServiceRequest,
  exportTraceServiceResponse,
} from '../otlp.ts';
import { post } from './operation.ts';
import { EXPORT, OTLP, OTLP_TYPES } from './otlp.ts';

// @__NO_SIDE_EFFECTS__
function accepted<S extends z.ZodType>(schema: S) {
  return {
    200: {
      description:
        'An ExportTraceServiceResponse or ExportLogsServiceResponse in the encoding of the request; its partial success lists the rejected items',
      schema,
      contentType: OTLP_TYPES,
    },
  };
}

export const ingestOtlp = post(OTLP, 'ingestOtlp', 'telemetry.send', {
  summary: 'Receive traces or logs from an OpenTelemetry exporter',
  ...EXPORT,
  crossOrigin: true,
  bodySchema: exportServiceRequest,
  responses: accepted(exportServiceResponse),
});

export const ingestOtlpTraces = post(`${OTLP}/v1/traces`, 'ingestOtlpTraces', 'telemetry.send', {
  summary: 'Receive traces from an OpenTelemetry exporter',
  ...EXPORT,
  crossOrigin: true,
  grpcMethod: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
  bodySchema: exportTraceServiceRequest,
  responses: accepted(exportTraceServiceResponse),
});

export const ingestOtlpLogs = post(`${OTLP}/v1/logs`, 'ingestOtlpLogs', 'telemetry.send', {
  summary: 'Receive logs from an OpenTelemetry exporter',
  ...EXPORT,
  crossOrigin: true,
  grpcMethod: '/opentelemetry.proto.collector.logs.v1.LogsService/Export',
  bodySchema: exportLogsServiceRequest,
  responses: accepted(exportLogsServiceResponse),
});
