import type { Place } from './places.ts';
import type { Content } from './read-content.ts';

/**
 * What a call says, without a prompt into which all messages were joined by line feeds, as some do: nothing tells which
 * of its lines are the question, unless it has only one.
 */
export function withoutJoinedPrompt(content: Content, own: Place): Content {
  const text = content.question?.text;
  if (own.joinsPrompt === undefined || text?.includes('\n') !== true) return content;
  // What the application itself says by the same tracer stands.
  return own.lookup.peek(own.joinsPrompt) === text ? { ...content, question: null } : content;
}
