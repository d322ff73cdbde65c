import { kindsOf } from './condition.ts';
import { rule } from './content-rule.ts';
import type { Dialect } from './dialect.ts';

const TYPE = kindsOf('mlflow.spanType');
const unless = [
  TYPE('EMBEDDING', 'RETRIEVER', 'RERANKER', 'TOOL', 'GUARDRAIL', 'EVALUATOR', 'PARSER', 'MEMORY', 'TASK'),
];

/** MLflow. */
export const MLFLOW: Dialect = {
  name: 'mlflow',
  source: 'mlflow/mlflow, mlflow/tracing/constant.py',
  contents: [
    rule('question', 'mlflow', 'mlflow.spanInputs', 'state', { unless }),
    rule('answer', 'mlflow', 'mlflow.spanOutputs', 'state', { unless }),
  ],
  checks: [TYPE('GUARDRAIL', 'EVALUATOR')],
  asides: [TYPE('TOOL', 'RETRIEVER', 'RERANKER')],
  runs: [TYPE('AGENT')],
  modelCalls: [TYPE('LLM', 'CHAT_MODEL')],
  tools: [{ convention: 'mlflow', when: TYPE('TOOL'), name: [], args: ['mlflow.spanInputs'] }],
  documents: [
    {
      convention: 'mlflow',
      form: 'list',
      key: 'mlflow.spanOutputs',
      when: TYPE('retriever'),
      query: 'mlflow.spanInputs',
      id: ['id'],
      score: ['score'],
      content: ['page_content', 'content', 'text'],
      metadata: ['metadata', 'meta'],
      hasFlatMetadata: true,
    },
  ],
  model: { request_model: ['mlflow.llm.model'] },
  prefixes: ['mlflow.'],
  callPrefixes: ['mlflow.'],
};
