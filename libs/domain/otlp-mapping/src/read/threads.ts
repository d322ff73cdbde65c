import { sha256Hex } from '@answer-evidence/digest';
import { MESSAGE_EVENTS, THREADS } from '../dialects/tables.ts';
import { findSingle } from '../item/attribute-lookup.ts';
import type { OtlpItem } from '../item/otlp-item.ts';
import { eventNameOf } from './places.ts';

const EVENTS: ReadonlySet<string> = new Set(MESSAGE_EVENTS.map(({ event }) => event));

/**
 * A log record that is a message of a program which logs without a trace, at a place of its own: those of one request
 * of one session are of one span, whose ids are derived from the two names. Any other item stays as it is.
 */
export function withThread(item: OtlpItem): OtlpItem {
  const ids = item.kind === 'log' && item.traceId === null ? threadOf(item) : undefined;
  return ids === undefined ? item : { ...item, ...ids };
}

function threadOf(item: Extract<OtlpItem, { kind: 'log' }>): { traceId: string; spanId: string } | undefined {
  const thread = THREADS.find(({ scope }) => scope === item.scope.name);
  if (thread === undefined || !EVENTS.has(eventNameOf(item) ?? '')) return undefined;
  const [session, request] = [thread.session, thread.request].map((key) => findSingle(item.attributes, key));
  if (typeof session !== 'string' || typeof request !== 'string' || request === '') return undefined;
  const hash = sha256Hex(JSON.stringify([session, request]));
  return { traceId: hash.slice(0, 32), spanId: hash.slice(32, 48) };
}
