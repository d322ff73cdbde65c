import type { Condition } from './condition.ts';

/** Where retrieved documents stand. Their contents are taken over as hashes only. */
export type DocumentRule = {
  readonly convention: string;
  /** `list`: one attribute with all documents; `indexed`: flattened; `event`: one span event for each document. */
  readonly form: 'list' | 'indexed' | 'event';
  /** The event that has a list; null or left out for the item itself. */
  readonly event?: string;
  /** The attribute, the prefix of the flattened ones, or the name of the event. */
  readonly key: string;
  /** The rule applies only to an item of which this holds. */
  readonly when?: Condition;
  /** What was searched for. It is recorded only as a question that a prompt contains. */
  readonly query?: string;
  /** What names its documents as such comes first; this knows them by their members, or by an event alone. */
  readonly isLast?: true;
  /** Names of the members, in the order in which they are tried. */
  readonly id: readonly string[];
  readonly score: readonly string[];
  readonly content: readonly string[];
  /** The member of each item of the list that is the document. What has none is no document. */
  readonly wrapped?: string;
  /** The rule applies only to items that have one of these members, whatever the kind of the span. */
  readonly having?: readonly string[];
  /** What else is known stands beside the members above. */
  readonly hasFlatMetadata?: boolean;
  /** JSON of what else is known of the document; `METADATA_RULES` fills in what the members above do not say. */
  readonly metadata?: readonly string[];
};
