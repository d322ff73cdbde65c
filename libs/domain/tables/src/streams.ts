import type { StreamFormat, StreamPlace } from '@answer-evidence/contracts';
import { bigint, boolean, bytea, integer, nullable, oneOf, type RowOf, table, text, uuid } from './table.ts';

/** Where entries of the log are sent. A row stays when its stream is removed, without what its destination is. */
export const STREAMS = table('streams', {
  key: ['id'],
  replaces: [
    'name',
    'kind',
    'place',
    'format',
    'include_reasons',
    'object_id',
    'wrapped_key',
    'sealed',
    'removed_at',
    'version',
  ],
  columns: {
    id: uuid,
    name: text,
    kind: oneOf<StreamPlace['type']>(),
    place: text,
    format: oneOf<StreamFormat>(),
    include_reasons: boolean,
    /** What the key was made for: the entry of the change that brought the destination. */
    object_id: uuid,
    wrapped_key: bytea,
    /** The destination with what it is reached with; empty once the stream is removed. */
    sealed: bytea,
    created_at: bigint,
    removed_at: nullable(bigint),
    version: integer,
  },
});
export type StreamRow = RowOf<typeof STREAMS>;

/** How far a stream is. A change of it makes new what `replaces` names; only its destination ends a failure. */
export const STREAM_STATES = table('stream_states', {
  key: ['stream_id'],
  replaces: ['state', 'changed_at', 'paused_until', 'leased_until'],
  columns: {
    stream_id: uuid,
    state: oneOf<'active' | 'disabled' | 'removed'>(),
    changed_at: bigint,
    failing_since: nullable(bigint),
    /** Failed attempts since the last one that succeeded. */
    failures: integer,
    last_error: nullable(text),
    paused_until: bigint,
    /** Until when one process sends, and no other. It tells the leases of a stream apart. */
    leased_until: bigint,
    /** The first entry that is still to be sent. */
    tree_size: bigint,
    /** Where it goes on after a break, and since when that is so: what was sent just before may not have been kept. */
    resume_size: bigint,
    resume_at: bigint,
    confirmed_at: nullable(bigint),
  },
});
export type StreamStateRow = RowOf<typeof STREAM_STATES>;
