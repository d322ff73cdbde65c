export type { AnswerFacts } from './answer-attributes.ts';
export { answering, answerSpan, type AnswerSpanOptions, type Tell } from './answer-span.ts';
export { hashId } from './hash-id.ts';
export { createMarkingProcessor, type MarkingProcessor, type MarkingRule, type SeenSpan } from './marking-processor.ts';
