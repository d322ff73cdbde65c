import type { JsonObject, TextOrHash } from '@answer-evidence/contracts';
import type { RejectedItem } from './otlp-item.ts';

/**
 * What a record is made of, or what an existing one is compared with and gets as its trace. Every field keeps the form
 * and the limits that a create must keep; what the workspace's settings say of texts and hashes, and whose application
 * it is, is not judged here.
 */
export type AnswerItem = {
  /** The position in the request of the item that this is mostly made of. */
  readonly index: number;
  readonly signal: 'span' | 'log';
  /** `service.name`. The caller of `mapBatch` must compare it with the token's. */
  readonly applicationKey: string;
  readonly environment: string;
  /** The sender's, or `otlp:<traceId>:<spanId>`. */
  readonly idempotencyKey: string;
  /** Null where the item says nothing of it. A record can be created from an item that has both. */
  readonly question: TextOrHash | null;
  readonly answer: TextOrHash | null;
  readonly semanticRefs: readonly JsonObject[];
  readonly sourceRefs: readonly JsonObject[];
  /** Lower-case hex; null for a log record that belongs to no trace or span. */
  readonly traceId: string | null;
  readonly spanId: string | null;
  readonly externalMessageId: string | null;
  /** It shows a call that has an id: one with the same id and texts is this one. Missing of what is marked. */
  readonly isOneCall?: true;
  readonly actorIdHash: string | null;
  readonly sessionIdHash: string | null;
  /** Start of the span or time of the log record: nanoseconds since 1970, 0 when unknown. The sender's claim only. */
  readonly startedAtUnixNano: bigint;
  /** What was left out of it for being invalid: sentences without values. Missing where nothing was. */
  readonly warnings?: readonly string[];
  /** It has no question, since what stands in the place of one is what nobody said. */
  readonly isUnsaid?: true;
  /** It has no question, since the rules of its application look for one where no text is. */
  readonly isUnfound?: true;
};

/** The result for a batch. Every item is in `items`, in `rejected`, or in the count of ignored items. */
export type MappedBatch = {
  /** In the order of the request. */
  readonly items: readonly AnswerItem[];
  /** Refused by the mapping; what the reader refused is not among them. */
  readonly rejected: readonly RejectedItem[];
  /** Items that are accepted and are no answers; some of them have added sources or evaluations to one. */
  readonly ignored: number;
  /** Attributes of answer items, and of those that added to one, that were not taken over. */
  readonly droppedAttributes: number;
};
