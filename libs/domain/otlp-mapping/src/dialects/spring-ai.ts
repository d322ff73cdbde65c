import { kindsOf } from './condition.ts';
import type { Dialect } from './dialect.ts';

const KIND = kindsOf('spring.ai.kind');

/** Spring AI 1, which calls every operation of its own by the same name. */
export const SPRING_AI: Dialect = {
  name: 'spring_ai',
  source: 'spring-projects/spring-ai, observation',
  asides: [KIND('tool_call')],
  tools: [
    {
      convention: 'gen_ai',
      when: KIND('tool_call'),
      name: ['spring.ai.tool.definition.name'],
      // These are opt-in.
      args: ['spring.ai.tool.call.arguments'],
    },
  ],
  // Documents, and the form of the answer.
  appended: [
    '\n\nContext information is below, surrounded by ---------------------\n',
    '\nYour response should be in JSON format.\nDo not include any explanations, only provide a RFC8259 compliant',
  ],
  searched: ['db.vector.query.content'],
};
