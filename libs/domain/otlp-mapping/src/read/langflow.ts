import type { ContentRule } from '../dialects/content-rule.ts';
import { isJsonObject, memberOf } from '../item/json-value.ts';
import type { OtlpItem } from '../item/otlp-item.ts';
import { readObject } from '../item/written-object.ts';

/**
 * Langflow gives the run of a flow, and the call of a model in it, which is a trace of its own, the first of these
 * names; only the run has the second, and shows what was asked and answered.
 */
const NAMES = { ofBoth: 'langflow.correlation_id', ofRun: 'langflow.trace_id' } as const;

/** The application that Langflow says to Traceloop that it is, and how OpenLLMetry's instrumentations are named. */
const TRACELOOP = { application: 'Langflow', scope: 'opentelemetry.instrumentation.' } as const;

/** Whether an item is a call of a model, or an agent, that the run of a flow shows in another trace. */
export function isPartOfFlow({ attributes, resource, scope }: OtlpItem): boolean {
  const has = (name: string) => attributes.some(({ key }) => key === name);
  if (has(NAMES.ofBoth)) return !has(NAMES.ofRun);
  const isOfLangflow = resource.attributes.some(({ key, value }) => {
    return key === 'service.name' && value === TRACELOOP.application;
  });
  return isOfLangflow && scope.name.startsWith(TRACELOOP.scope);
}

/** How Langflow ends the names of the components by which a person speaks to a flow, and is answered. */
const COMPONENTS = { question: /\(ChatInput-\w+\)$/, answer: /\(ChatOutput-\w+\)$/ } as const;

/** What the components of a flow gave back, `{"Chat Input (ChatInput-1)": {"message": …}, …}`: what was said last. */
export function readFlow(text: string, to: ContentRule['to']): string | undefined {
  const found = Object.entries(readObject(text) ?? {}).flatMap(([name, component]) => {
    const message = isJsonObject(component) ? memberOf(component, 'message') : undefined;
    return COMPONENTS[to].test(name) && typeof message === 'string' ? [message] : [];
  });
  return found.at(-1);
}
