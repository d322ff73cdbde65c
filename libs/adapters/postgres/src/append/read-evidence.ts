import type pg from 'pg';
import {
  type AccessState,
  type AppendCommand,
  type AssetState,
  type ContentState,
  isTouched,
  parseSegmentIndexes,
} from '@answer-evidence/ledger';

type ContentFound = { id: string; content_hash: string; refs: number };
type AssetFound = { id: string; application_key: string; content_id: string | null; erasures: number };
type AccessFound = {
  id: string;
  asset_id: string;
  application_key: string;
  segments_json: string;
  erased: readonly string[];
  expired: boolean;
};

type HoldersFound = { id: string; holders: number };

/** What commands of a batch read of evidence. */
type EvidenceReads = {
  readonly contents: ReadonlyMap<string, ContentState>;
  readonly assets: ReadonlyMap<string, AssetState>;
  readonly accesses: ReadonlyMap<string, AccessState>;
  /** By asset. */
  readonly holders: ReadonlyMap<string, number>;
};

/**
 * Reads the evidence that the commands need, within the transaction of the connection; sends nothing if they need none.
 * An erasure after an access has a later leaf than the access.
 */
export async function queryEvidence(
  client: pg.ClientBase,
  workspaceId: string,
  commands: readonly AppendCommand[],
): Promise<EvidenceReads> {
  const hashes = commands.flatMap(({ reads }) => reads.contentHash ?? []);
  const assetIds = commands.flatMap(({ reads }) => reads.assetIds ?? []);
  const accessIds = commands.flatMap(({ reads }) => reads.accessIds ?? []);
  const heldIds = commands.flatMap(({ reads }) => reads.holdersOf ?? []);
  const none = Promise.resolve({ rows: [] as never[] });
  const [contents, assets, accesses, holders] = await Promise.all([
    hashes.length + assetIds.length === 0
      ? none
      : client.query<ContentFound>({
          name: 'find_evidence_contents',
          text: `select c.id, c.content_hash, (select count(*) from answer_evidence.evidence_originals o
                where o.workspace_id = $1 and o.content_id = c.id) as refs
            from (
              select h.id from unnest($2::text[]) as asked (hash)
                cross join lateral (select x.id from answer_evidence.evidence_contents x
                  where x.workspace_id = $1 and x.content_hash = asked.hash offset 0) h
              union select o.content_id from unnest($3::uuid[]) as asked (id)
                cross join lateral (select x.content_id from answer_evidence.evidence_originals x
                  where x.workspace_id = $1 and x.asset_id = asked.id offset 0) o) found
            cross join lateral (select * from answer_evidence.evidence_contents x
              where x.workspace_id = $1 and x.id = found.id offset 0) c`,
          values: [workspaceId, hashes, assetIds],
        }),
    assetIds.length === 0
      ? none
      : client.query<AssetFound>({
          name: 'find_evidence_assets',
          text: `select a.id, a.application_key, o.content_id,
              (select count(*) from answer_evidence.evidence_redactions r where r.workspace_id = $1 and r.asset_id = a.id)
              + (select count(*) from answer_evidence.evidence_expiries x where x.workspace_id = $1 and x.asset_id = a.id)
                as erasures
            from unnest($2::uuid[]) as asked (id)
            cross join lateral (select * from answer_evidence.evidence_assets x
              where x.workspace_id = $1 and x.id >= asked.id order by x.id limit 1) a
            left join lateral (select * from answer_evidence.evidence_originals x
              where x.workspace_id = $1 and x.asset_id = asked.id offset 0) o on true
            where a.id = asked.id`,
          values: [workspaceId, assetIds],
        }),
    accessIds.length === 0
      ? none
      : client.query<AccessFound>({
          name: 'find_evidence_accesses',
          text: `select v.id, v.asset_id, v.application_key, v.segments_json,
              array(select r.segments_json from answer_evidence.evidence_redactions r
                join answer_evidence.ledger_leaves l on l.workspace_id = $1 and l.subject = r.asset_id and l.id = r.id
                where r.workspace_id = $1 and r.asset_id = v.asset_id and l.leaf_index > v.leaf_index) as erased,
              exists (select 1 from answer_evidence.evidence_expiries x
                join answer_evidence.ledger_leaves l on l.workspace_id = $1 and l.subject = x.asset_id and l.id = x.id
                where x.workspace_id = $1 and x.asset_id = v.asset_id and l.leaf_index > v.leaf_index) as expired
            from answer_evidence.evidence_accesses v
            where v.workspace_id = $1 and v.id = any($2::uuid[])`,
          values: [workspaceId, accessIds],
        }),
    heldIds.length === 0
      ? none
      : client.query<HoldersFound>({
          name: 'find_evidence_holders',
          text: `select asked.id, count(held.record_id) + coalesce(sum(extended.times), 0)::bigint as holders
            from unnest($2::uuid[]) as asked (id)
            left join lateral (
              select b.record_id
                from (select x.id from answer_evidence.evidence_accesses x
                  where x.workspace_id = $1 and x.asset_id = asked.id order by x.leaf_index offset 0) v
                cross join lateral (select x.record_id from answer_evidence.evidence_bindings x
                  where x.workspace_id = $1 and x.access_id = v.id offset 0) b
              union all select k.record_id from answer_evidence.evidence_links k
                where k.workspace_id = $1 and k.asset_id = asked.id) held on true
            left join lateral (
              select count(*) as times
                from (select x.event_type from answer_evidence.lifecycle_events x
                  where x.workspace_id = $1 and x.record_id = held.record_id order by x.sequence offset 0) e
                where e.event_type = 'retention_extended') extended on true
            group by asked.id`,
          values: [workspaceId, heldIds],
        }),
  ]);
  return {
    contents: new Map(
      contents.rows.map((row: ContentFound) => [row.id, { id: row.id, hash: row.content_hash, references: row.refs }]),
    ),
    assets: new Map(
      assets.rows.map((row: AssetFound) => [
        row.id,
        { applicationKey: row.application_key, contentId: row.content_id, erasures: row.erasures },
      ]),
    ),
    holders: new Map(holders.rows.map((row: HoldersFound) => [row.id, row.holders])),
    accesses: new Map(accesses.rows.map((row: AccessFound) => [row.id, accessState(row)])),
  };
}

function accessState(row: AccessFound): AccessState {
  const segments = parseSegmentIndexes(row.segments_json);
  const isRedacted = row.erased.some((json) => isTouched(segments, parseSegmentIndexes(json)));
  return {
    assetId: row.asset_id,
    applicationKey: row.application_key,
    segments,
    erased: row.expired || isRedacted,
  };
}
