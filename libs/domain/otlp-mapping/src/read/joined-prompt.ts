import type { OtlpItem } from '../item/otlp-item.ts';
import type { Place } from './places.ts';
import type { Content } from './read-content.ts';

/** Instrumentations that join the texts of all messages to one prompt: instructions, history and results of tools. */
const JOINING_SCOPES: readonly string[] = ['io.quarkus.opentelemetry'];

/**
 * What a call says, without a prompt into which all messages were joined by line feeds, as Quarkus does: nothing tells
 * which of its lines are the question, unless it has only one.
 */
export function withoutJoinedPrompt(content: Content, item: OtlpItem, own: Place): Content {
  const text = content.question?.text;
  if (text?.includes('\n') !== true || !JOINING_SCOPES.includes(item.scope.name)) return content;
  // What the application itself says by the same tracer stands.
  return own.lookup.peek('gen_ai.prompt') === text ? { ...content, question: null } : content;
}
