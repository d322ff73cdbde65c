import { ADK } from './adk.ts';
import { AGENTA } from './agenta.ts';
import { AGENTOPS } from './agentops.ts';
import { AGNO } from './agno.ts';
import { AUTOGEN } from './autogen.ts';
import { CLAUDE_CODE } from './claude-code.ts';
import { CODING_AGENTS } from './coding-agents.ts';
import { CREWAI } from './crewai.ts';
import { DEEPEVAL } from './deepeval.ts';
import type { Dialect } from './dialect.ts';
import { DSPY } from './dspy.ts';
import { GEN_AI } from './gen-ai.ts';
import { GEN_AI_OLDER } from './gen-ai-older.ts';
import { GENKIT } from './genkit.ts';
import { GUARDRAILS_AI } from './guardrails-ai.ts';
import { HAYSTACK } from './haystack.ts';
import { JUDGMENT } from './judgment.ts';
import { LAMINAR } from './laminar.ts';
import { LANGCHAIN } from './langchain.ts';
import { LANGCHAIN4J } from './langchain4j.ts';
import { LANGFLOW } from './langflow.ts';
import { LANGFUSE } from './langfuse.ts';
import { LANGSMITH } from './langsmith.ts';
import { LANGWATCH } from './langwatch.ts';
import { LIVEKIT } from './livekit.ts';
import { LLAMA_INDEX } from './llama-index.ts';
import { LOGFIRE } from './logfire.ts';
import { MARVIN } from './marvin.ts';
import { MASTRA } from './mastra.ts';
import { MICROSOFT_AGENTS } from './microsoft-agents.ts';
import { MLFLOW } from './mlflow.ts';
import { MONOCLE } from './monocle.ts';
import { NEMO_GUARDRAILS } from './nemo-guardrails.ts';
import { NETRA } from './netra.ts';
import { OPENAI_AGENTS } from './openai-agents.ts';
import { OPENINFERENCE } from './openinference.ts';
import { OPENLIT } from './openlit.ts';
import { PIPECAT } from './pipecat.ts';
import { PYDANTIC_AI } from './pydantic-ai.ts';
import { QWEN_CODE } from './qwen-code.ts';
import { REPLICATE } from './replicate.ts';
import { SEMANTIC_KERNEL } from './semantic-kernel.ts';
import { SENTRY } from './sentry.ts';
import { SERVICE_AUDIT } from './service-audit.ts';
import { SMOLAGENTS } from './smolagents.ts';
import { SPRING_AI } from './spring-ai.ts';
import { STRANDS } from './strands.ts';
import { TANSTACK } from './tanstack.ts';
import { TRACEAI } from './traceai.ts';
import { TRACELOOP } from './traceloop.ts';
import { VERCEL } from './vercel.ts';
import { VOLTAGENT } from './voltagent.ts';

/**
 * Every dialect, in the order in which they are asked: an item may speak several, and of each text the first that has
 * it counts. `npm run docs:generate` adds a new file of this folder at the end; move its line if it must come before.
 */
export const DIALECTS: readonly Dialect[] = [
  SERVICE_AUDIT,
  GEN_AI,
  PYDANTIC_AI,
  OPENINFERENCE,
  GUARDRAILS_AI,
  TRACELOOP,
  LANGFUSE,
  MLFLOW,
  VERCEL,
  LOGFIRE,
  PIPECAT,
  LANGSMITH,
  ADK,
  MASTRA,
  GENKIT,
  AGENTOPS,
  LANGWATCH,
  LAMINAR,
  TANSTACK,
  SPRING_AI,
  HAYSTACK,
  OPENLIT,
  LIVEKIT,
  LLAMA_INDEX,
  MONOCLE,
  VOLTAGENT,
  NEMO_GUARDRAILS,
  JUDGMENT,
  AGENTA,
  LANGFLOW,
  DEEPEVAL,
  NETRA,
  TRACEAI,
  CLAUDE_CODE,
  SENTRY,
  GEN_AI_OLDER,
  REPLICATE,
  OPENAI_AGENTS,
  MICROSOFT_AGENTS,
  CODING_AGENTS,
  LANGCHAIN,
  CREWAI,
  STRANDS,
  SMOLAGENTS,
  MARVIN,
  AUTOGEN,
  LANGCHAIN4J,
  AGNO,
  DSPY,
  SEMANTIC_KERNEL,
  QWEN_CODE,
];
