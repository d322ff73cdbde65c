import type { Attributes } from '@opentelemetry/api';

/** What a span may say of the answer that it is. */
export type AnswerFacts = {
  /** Your id of the request or message, the same on each attempt: 1 to 200 characters. */
  readonly key: string;
  readonly question?: string;
  readonly answer?: string;
  /** Your own commitments, for a workspace that accepts them: `sha256:` and 64 hex digits. */
  readonly questionHash?: string;
  readonly answerHash?: string;
  /** They replace what the spans below found. */
  readonly sources?: readonly object[];
  readonly semanticRefs?: readonly object[];
  /** Hashes of the person and the session; `hashId` makes them. Never their ids. */
  readonly endUserIdHash?: string;
  readonly sessionIdHash?: string;
};

/** The attributes by which the service knows a marked span, and what it reads of it. */
export function toAttributes(facts: Partial<AnswerFacts>): Attributes {
  const { sources, semanticRefs } = facts;
  const attributes: Readonly<Record<string, string | undefined>> = {
    'service.audit.idempotency_key': facts.key,
    'service.audit.question_text': facts.question,
    'service.audit.answer_text': facts.answer,
    'service.audit.question_hash': facts.questionHash,
    'service.audit.answer_hash': facts.answerHash,
    'service.audit.source_refs': sources === undefined ? undefined : JSON.stringify(sources),
    'service.audit.semantic_refs': semanticRefs === undefined ? undefined : JSON.stringify(semanticRefs),
    'enduser.id_hash': facts.endUserIdHash,
    'session.id_hash': facts.sessionIdHash,
  };
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}
