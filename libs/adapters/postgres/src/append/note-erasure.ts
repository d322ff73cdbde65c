import type { Statement } from './insert-rows.ts';

/**
 * Notes that the transaction erases something, so that it is vacuumed; `spans` are those of the sealed contents among
 * it. A transaction may note several times.
 */
export function formatNoteOfErasure(spans: readonly number[]): Statement {
  return {
    name: 'transact_note_erasure',
    text: `insert into answer_evidence.erasures as e (xid, sealed) values (pg_current_xact_id(), $1::bigint[])
      on conflict (xid) do update set sealed = case when e.sealed is null then null else e.sealed || excluded.sealed end`,
    values: [`{${spans.join(',')}}`],
  };
}
