import { createHash } from 'node:crypto';
import type { Draw } from './draw.ts';
import { type DemoApplication, SLOTS, type Topic } from './texts.ts';

/** An answer that an application gave, and the record of it. */
export type GivenAnswer = {
  readonly applicationKey: string;
  /** The application's own name of it, as on its list of answers. */
  readonly messageId: string;
  readonly atMillis: number;
  /** What the record of it is created with. */
  readonly request: Readonly<Record<string, unknown>>;
  /** The answer that is right, where the one that was given is not. */
  readonly corrected: string | undefined;
};

/** What every record says: it was made up. */
export const DEMO_ENVIRONMENT = 'demonstration';
const PEOPLE = 140;

/** Gives the `n`th answer of an application. */
export function answerTopic(app: DemoApplication, n: number, atMillis: number, draw: Draw): GivenAnswer {
  const topic = draw.one(app.topics);
  const drawn = Object.fromEntries(Object.entries(SLOTS).map(([name, values]) => [name, draw.one(values)]));
  const fill = (text: string) => text.replaceAll(/\{(\w+)\}/g, (_, name: string) => drawn[name] ?? '');
  const messageId = `demo-${app.key}-${String(n).padStart(5, '0')}`;
  const person = draw.number(PEOPLE);
  return {
    applicationKey: app.key,
    messageId,
    atMillis,
    request: {
      application_key: app.key,
      environment: DEMO_ENVIRONMENT,
      idempotency_key: messageId,
      external_message_id: messageId,
      external_trace_id: digest(messageId).slice(0, 32),
      mode: app.mode,
      actor_id_hash: `sha256:${digest(`person ${app.key} ${String(person)}`)}`,
      session_id_hash: `sha256:${digest(`session ${app.key} ${String(person)} ${String(Math.floor(atMillis / 3_600_000))}`)}`,
      question: { text: fill(topic.question) },
      answer: { text: fill(topic.answer) },
      source_refs: sourceRefsOf(topic),
    },
    corrected: topic.corrected === undefined ? undefined : fill(topic.corrected),
  };
}

function sourceRefsOf({ sources }: Topic) {
  return sources.map((name) => ({ source_ref_id: name, source_name: name }));
}

function digest(text: string): string {
  return createHash('sha256').update(`demonstration ${text}`).digest('hex');
}
