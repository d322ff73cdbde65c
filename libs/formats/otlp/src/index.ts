export type { OtlpEncoding } from './encoding.ts';
export { readJsonRequest } from './json/read-json-request.ts';
export { OTLP_LIMITS, type OtlpLimits } from './limits.ts';
export { OtlpError, type OtlpFault } from './otlp-error.ts';
export { readLogsRequest, readTracesRequest } from './protobuf/read-request.ts';
export { readRequest } from './read-request.ts';
export { formatExportResponse, type PartialSuccess } from './reply/export-response.ts';
export { type FieldViolation, formatStatus, rpcCodeOf, type RpcStatus } from './reply/status.ts';
