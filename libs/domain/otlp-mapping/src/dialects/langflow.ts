import { rule } from './content-rule.ts';
import type { Dialect } from './dialect.ts';

/** What it tells Traceloop of the run of a flow. */
const ofFlows = { onlyPrefix: 'workflow_id' };

/** Langflow. */
export const LANGFLOW: Dialect = {
  name: 'langflow',
  source: 'langflow-ai/langflow, src/backend/base/langflow/services/tracing',
  contents: [
    rule('question', 'langflow', 'outputs', 'flow', ofFlows),
    rule('answer', 'langflow', 'outputs', 'flow', ofFlows),
  ],
};
