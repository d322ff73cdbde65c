export type {
  AnswerRecord,
  CreatedEvidenceAsset,
  CreateEvidenceRequest,
  CreateRunRequest,
  DownloadEvidenceRequest,
  EvidenceMetadata,
  JsonObject,
  LifecycleEvent,
  Problem,
  ProblemCode,
  ReconciliationRun,
  RecordFilters,
  RecordSummary,
  RetrievedEvidence,
  RetrieveEvidenceRequest,
  TextOrHash,
  TrustFile,
} from '@answer-evidence/contracts';
export type {
  CheckpointStore,
  EvidenceFile,
  EvidencePlace,
  MismatchEvidence,
  StreamReply,
} from '@answer-evidence/client';
export type { Answer, Mask, MaskedPlace, Text } from './answer.ts';
export { AnswerEvidence, type EventOptions, type RedactOptions } from './answer-evidence.ts';
export {
  ConfigurationError,
  EvidenceError,
  MismatchError,
  ProblemError,
  QueueError,
  type QueueErrorCode,
  ResponseError,
  type Signed,
  TimeoutError,
  TransportError,
  VerificationError,
} from './errors.ts';
export type { EvidenceSource } from './evidence-source.ts';
export type { Options, QueueOptions } from './options.ts';
export type { Recording } from './recording.ts';
export type { ScopeFields } from './scope.ts';
