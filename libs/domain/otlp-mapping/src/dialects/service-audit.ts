import { rule } from './content-rule.ts';
import type { Dialect } from './dialect.ts';

const mark = { isMark: true } as const;

/** The marks by which an application itself says what is an answer. */
export const SERVICE_AUDIT: Dialect = {
  name: 'service.audit',
  source: 'docs/otlp.md',
  // `text` and `hash` are one, and come first.
  contents: [
    rule('question', 'service.audit', 'service.audit.question_text', 'text', mark),
    rule('question', 'service.audit', 'service.audit.question_hash', 'hash', mark),
    rule('answer', 'service.audit', 'service.audit.answer_text', 'text', mark),
    rule('answer', 'service.audit', 'service.audit.answer_hash', 'hash', mark),
  ],
};
