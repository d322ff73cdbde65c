import { rule } from './content-rule.ts';
import type { Dialect } from './dialect.ts';
import { NO_GEN_AI_ANSWERS } from './gen-ai.ts';

const unless = [NO_GEN_AI_ANSWERS];

/** Google's Agent Development Kit. */
export const ADK: Dialect = {
  name: 'adk',
  source: 'google/adk-python, src/google/adk/telemetry',
  contents: [
    rule('question', 'adk', 'gcp.vertex.agent.llm_request', 'state', { unless }),
    rule('answer', 'adk', 'gcp.vertex.agent.llm_response', 'state', { unless }),
  ],
  // Of other agents.
  feedback: [/^For context:(?: below is a transcript of what another agent|\s*\[\w+\] )/],
  mergedTools: '(merged tools)',
};
