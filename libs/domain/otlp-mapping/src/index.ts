export type { AnswerItem, MapBatch, MappedBatch } from './answer-item.ts';
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
