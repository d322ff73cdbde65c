/**
 * The packages that send traces, which few installations need and a start should not load. They are CommonJS: bundled,
 * one that is imported on demand itself has none of its names.
 */
export { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
export { resourceFromAttributes } from '@opentelemetry/resources';
export { BatchSpanProcessor, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace';
