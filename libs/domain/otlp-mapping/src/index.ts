export type { AnswerItem, MappedBatch } from './answer-item.ts';
export { explainItem, type ItemExplanation } from './explain-item.ts';
export { formatRejections } from './format-rejections.ts';
export { findIgnored, findUnread, type IgnoredKind, type IgnoredOfRequest } from './ignored-items.ts';
export { decideItems, mapBatch } from './map-batch.ts';
export {
  CONTENT_RULES,
  type ContentRule,
  DATA_SOURCE_KEY,
  DOCUMENT_RULES,
  EVALUATION_RULES,
  FIELD_RULES,
  MAPPING_VERSION,
  METADATA_RULES,
  MODEL_CALLS,
  MODEL_RULES,
  STATE_RULES,
} from './mapping-table.ts';
export type {
  Attribute,
  AttributeMap,
  AttributeValue,
  OtlpBatch,
  OtlpItem,
  OtlpLogRecord,
  OtlpResource,
  OtlpScope,
  OtlpSignal,
  OtlpSpan,
  OtlpSpanEvent,
  RejectedItem,
} from './otlp-item.ts';
export { type ReducedItem, reduceItems } from './reduced-item.ts';
export { createKeysAbove, findStated, linksOf, splitTrace, withoutRepeats } from './split-trace.ts';
