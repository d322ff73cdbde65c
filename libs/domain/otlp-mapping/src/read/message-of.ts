import { TURN_EVENT } from '../dialects/claude-code.ts';
import { DETAILS_EVENT } from '../dialects/gen-ai.ts';
import { MESSAGE_EVENTS } from '../dialects/mapping-table.ts';
import type { OtlpItem } from '../item/otlp-item.ts';
import { eventNameOf } from './places.ts';

/** A log record that is one message of a conversation: of several turns of a model the last one counts. */
export type MessageKind = 'choice' | 'turn' | 'other' | null;

const MESSAGES: ReadonlySet<string> = new Set(MESSAGE_EVENTS);

/** Which part of a conversation a log record is, if it is one message of it. */
export function messageOf(item: OtlpItem): MessageKind {
  const event = item.kind === 'log' ? eventNameOf(item) : null;
  if (event === DETAILS_EVENT) return halfOf(item);
  if (event === null || !MESSAGES.has(event)) return null;
  if (event === TURN_EVENT) return 'turn';
  return event === 'gen_ai.choice' ? 'choice' : 'other';
}

/** Which half of a call an event has that describes it as a whole, if it has only one, as two events of Node do. */
function halfOf({ attributes }: OtlpItem): MessageKind {
  const has = (name: string) => attributes.some(({ key }) => key === name);
  if (has('gen_ai.input.messages') === has('gen_ai.output.messages')) return null;
  return has('gen_ai.output.messages') ? 'choice' : 'other';
}
