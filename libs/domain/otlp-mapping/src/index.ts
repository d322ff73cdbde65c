export { awaitsTool } from './trace/awaited-tools.ts';
export type { AnswerItem, MappedBatch } from './item/answer-item.ts';
export type { ContentRule } from './dialects/content-rule.ts';
export {
  CONTENT_RULES,
  DOCUMENT_RULES,
  MODEL_CALLS,
  MODEL_RULES,
  NAMED_ID_RULES,
  TOOL_RULES,
} from './dialects/tables.ts';
export {
  explainBatch,
  findExplainedAnswers,
  type ReadForExplanation,
  readForExplanation,
  showHashedIds,
} from './trace/explain-batch.ts';
export { formatHalves, formatRejections, formatWarnings } from './trace/format-rejections.ts';
export {
  findIgnored,
  findNamesOfKinds,
  findTold,
  findUnsaid,
  findWarnings,
  type IgnoredKind,
  type IgnoredOfRequest,
  LOST,
  type Origin,
} from './trace/ignored-items.ts';
export type { Condition } from './dialects/condition.ts';
export { isOutside } from './read/ignored-reason.ts';
export { isReadName } from './read/listed-attributes.ts';
export { decideItems, decideUnfinished, mapBatch } from './trace/map-batch.ts';
export { FIELD_RULES, MAPPING_VERSION, STATE_RULES } from './dialects/mapping-table.ts';
export { findNamedIds, hashNamedIds, type NamedIds } from './read/named-ids.ts';
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
} from './item/otlp-item.ts';
export { type ReducedItem, reduceItems } from './read/reduced-item.ts';
export { type PackedItems, packItems, unpackItems } from './trace/packed-items.ts';
export { refusedOf, refuseUnreadable } from './trace/refused-items.ts';
export { applyRules, type RuledItems } from './rules/apply-rules.ts';
export { readByRules, type TextRules, textRulesOf } from './rules/read-by-rules.ts';
export { SHIPPED_PLACES, type ShippedPlaces } from './rules/shipped-places.ts';
export { type SuggestedPlace, suggestPlaces } from './rules/suggest-places.ts';
export { findFacts, type RuleFacts } from './rules/rule-facts.ts';
export {
  createKeysAbove,
  createKeysBelow,
  findStated,
  linksOf,
  splitTrace,
  withoutRepeats,
} from './trace/split-trace.ts';
export { DATA_SOURCE_KEY, EVALUATION_RULES, METADATA_RULES } from './dialects/ref-rules.ts';
