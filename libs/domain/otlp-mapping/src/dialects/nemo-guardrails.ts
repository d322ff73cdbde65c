import { rule } from './content-rule.ts';
import type { Dialect } from './dialect.ts';

/** NeMo Guardrails. */
export const NEMO_GUARDRAILS: Dialect = {
  name: 'nemo_guardrails',
  source: 'NVIDIA-NeMo/Guardrails, nemoguardrails/tracing',
  contents: [
    rule('question', 'nemo_guardrails', 'content', 'string', { event: 'guardrails.user_message' }),
    rule('answer', 'nemo_guardrails', 'content', 'string', { event: 'guardrails.utterance.bot.started' }),
  ],
};
