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
  // It gives the run of a flow, and the call of a model in it, which is a trace of its own, the first of these names;
  // only the run has the second, and shows what was asked and answered. The application is what it tells OpenLLMetry
  // that it is.
  shownElsewhere: {
    both: 'langflow.correlation_id',
    whole: 'langflow.trace_id',
    application: 'Langflow',
    scopes: 'opentelemetry.instrumentation.',
  },
  writes: { components: { question: /\(ChatInput-\w+\)$/, answer: /\(ChatOutput-\w+\)$/ } },
};
