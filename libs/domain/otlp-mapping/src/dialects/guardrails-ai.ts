import { kindsOf } from './condition.ts';
import type { Dialect } from './dialect.ts';

const TYPE = kindsOf('type');

/** Guardrails AI calls a run a guardrail, too, and so its step and the call of the model in it. */
const GUARD_RUN = TYPE('guardrails/guard');
const GUARD_CALL = TYPE('guardrails/guard/step/call');
/** What it calls a guardrail, and is none. */
export const NO_CHECK = TYPE('guardrails/guard', 'guardrails/guard/step', 'guardrails/guard/step/call');

/** Guardrails AI, which describes its runs by names of OpenInference. */
export const GUARDRAILS_AI: Dialect = {
  name: 'guardrails_ai',
  source: 'guardrails-ai/guardrails, guardrails/telemetry',
  runs: [GUARD_RUN],
  modelCalls: [GUARD_CALL],
};
