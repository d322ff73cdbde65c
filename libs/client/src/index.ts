export { createClient } from './client.ts';
export type { Client, ClientOptions } from './client.ts';
export { ApiError, UnreachableError } from './errors.ts';
export type {
  CreatedRecord,
  ExportFilters,
  PageRequest,
  RecordAfterEvent,
  RecordExport,
  RecordsApi,
} from './records.ts';
export { DEFAULT_RETRY_LIMITS } from './retry.ts';
export type { RetryLimits } from './retry.ts';
export type { TransportOptions } from './transport.ts';
export type { TrustApi } from './trust.ts';
export { verifyEd25519 } from './verify-ed25519.ts';
export type { HashKeysApi, SettingsApi, TokensApi } from './workspace.ts';
