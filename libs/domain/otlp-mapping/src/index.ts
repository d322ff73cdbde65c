export type { AnswerItem, MappedBatch } from './answer-item.ts';
export type { ContentRule } from './content-rule.ts';
export { CONTENT_RULES } from './content-rules.ts';
export {
  explainBatch,
  findExplainedAnswers,
  type ReadForExplanation,
  readForExplanation,
  showHashedIds,
} from './explain-batch.ts';
export { formatHalves, formatRejections, formatWarnings } from './format-rejections.ts';
export {
  findIgnored,
  findNamesOfKinds,
  findTold,
  findWarnings,
  type IgnoredKind,
  type IgnoredOfRequest,
  type Origin,
} from './ignored-items.ts';
export { type Condition, MODEL_CALLS } from './item-kinds.ts';
export { isReadName } from './listed-attributes.ts';
export { decideItems, mapBatch } from './map-batch.ts';
export { FIELD_RULES, MAPPING_VERSION, NAMED_ID_RULES, STATE_RULES } from './mapping-table.ts';
export { findNamedIds, hashNamedIds, type NamedIds } from './named-ids.ts';
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
export { refusedOf, refuseUnreadable } from './refused-items.ts';
export { applyRules, type RuledItems } from './rules/apply-rules.ts';
export { findFacts, type RuleFacts } from './rules/rule-facts.ts';
export { createKeysAbove, findStated, linksOf, splitTrace, withoutRepeats } from './split-trace.ts';
export { DATA_SOURCE_KEY, DOCUMENT_RULES, METADATA_RULES } from './document-rules.ts';
export { EVALUATION_RULES, MODEL_RULES, TOOL_RULES } from './ref-rules.ts';
