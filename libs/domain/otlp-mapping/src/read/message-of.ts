import type { MessageEvent } from '../dialects/dialect.ts';
import { CALL_EVENTS, CONVERSATIONS, MESSAGE_EVENTS } from '../dialects/tables.ts';
import type { OtlpItem } from '../item/otlp-item.ts';
import { eventNameOf } from './places.ts';

/** A log record that is one message of a conversation: of several turns of a model the last one counts. */
export type MessageKind = MessageEvent['kind'] | null;

const KINDS: ReadonlyMap<string, MessageKind> = new Map(MESSAGE_EVENTS.map(({ event, kind }) => [event, kind]));

/** Which part of a conversation a log record is, if it is one message of it. */
export function messageOf(item: OtlpItem): MessageKind {
  const event = item.kind === 'log' ? eventNameOf(item) : null;
  if (event === null) return null;
  return CALL_EVENTS.includes(event) ? halfOf(item) : (KINDS.get(event) ?? null);
}

/** Which half of a call an event has that describes it as a whole, if it has only one, as two events of Node do. */
function halfOf({ attributes }: OtlpItem): MessageKind {
  const has = (name: string) => attributes.some(({ key }) => key === name);
  const half = CONVERSATIONS.find(({ given, said }) => has(given) !== has(said));
  return half === undefined ? null : has(half.said) ? 'choice' : 'other';
}
