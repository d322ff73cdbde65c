import type { EventCore, KnownPayload } from '@answer-evidence/contracts';
import { type BundleContext, findEntry } from './bundle-context.ts';
import { CheckFailure } from './verdict.ts';

/** What the log itself says may no longer be there. Redaction always takes every text along. */
export type Erasure = {
  readonly redacted: boolean;
  readonly semanticRefs: boolean;
  readonly sourceRefIds: ReadonlySet<string>;
  /** Of the events whose reason and rest of the payload are gone. */
  readonly eventIds: ReadonlySet<string>;
  /** Leaf index of the last expiry of the record's contents, or -1. */
  readonly expiredAt: number;
};

type RedactionLike = {
  readonly event_type: string;
  readonly payload: Pick<KnownPayload, 'redact_source_ref_ids' | 'redact_semantic_refs' | 'redact_event_ids'>;
};

/** The erasures of a record that its events and its `text_expired` entries (by leaf index) state. */
export function readErasure(events: readonly RedactionLike[], expiries: readonly number[]): Erasure {
  const redactions = events.filter((event) => event.event_type === 'redacted');
  return {
    redacted: redactions.length > 0,
    semanticRefs: redactions.some((event) => event.payload.redact_semantic_refs === true),
    eventIds: new Set(redactions.flatMap((event) => event.payload.redact_event_ids ?? [])),
    sourceRefIds: new Set(redactions.flatMap((event) => event.payload.redact_source_ref_ids ?? [])),
    expiredAt: expiries.reduce((last, leafIndex) => Math.max(last, leafIndex), -1),
  };
}

/** The erasures that a bundle shows leaves for. */
export function erasureOf({ bundle }: BundleContext): Erasure {
  const expiries = bundle.attachments.filter((attachment) => {
    const entry = findEntry({ name: 'an attachment', entry: attachment.entry });
    return entry?.type === 'text_expired' && entry.subject === bundle.record.core.id;
  });
  return readErasure(
    bundle.events.map((event) => event.core),
    expiries.map((attachment) => attachment.leaf_index),
  );
}

/** An event redacts only events of its record that came before it: those of `earlier`. Throws `CheckFailure`. */
export function assertNamesEarlier(name: string, { payload }: EventCore, earlier: ReadonlySet<string>): void {
  if (payload.redact_event_ids?.every((id) => earlier.has(id)) === false)
    throw new CheckFailure(`${name} redacts an event that is not an earlier one of the record`);
}

/** Whether contents that came with the leaf at this index have expired. */
export function isExpired(erasure: Erasure, leafIndex: number): boolean {
  return leafIndex < erasure.expiredAt;
}
