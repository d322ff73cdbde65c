import { type JsonObject, type RetrievedSegment, ServiceError } from '@answer-evidence/contracts';
import { retrieveEvidence } from '@answer-evidence/contracts/operations';
import { formatHex } from '@answer-evidence/encoding';
import type { StoredAsset, Workspace } from '@answer-evidence/ports';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { EvidenceDeps } from '../../deps.ts';
import { findOwnAsset } from '../../find-own.ts';
import { noteAccess, type NotedAccess } from '../../note-access.ts';
import { openAssetDetails } from '../../resources/open-details.ts';
import { toSegmentResource } from '../../resources/to-segment-resource.ts';

/** `POST /api/evidence-assets/{asset_id}/retrieve`: what an answer is made of, with what binds it into the answer. */
export function retrieveAssetRoute(deps: EvidenceDeps): Route {
  return defineRoute({
    ...retrieveEvidence,
    async handle(request) {
      const { params, body, caller } = request;
      const workspace = await deps.directory.get(caller.workspaceId);
      const found = await findOwnAsset(deps, caller, params.asset_id);
      const segmentIds = body.segment_ids === undefined ? null : [...new Set(body.segment_ids)];
      const segments = segmentIds === null ? null : await indexesOf(deps, workspace.id, found, segmentIds);
      const noted = await noteAccess(deps, workspace, { caller, request }, found, {
        access: 'retrieve',
        segments,
        range: null,
        purpose: body.purpose ?? null,
        needsOriginal: false,
      });
      // Only now, so that whatever leaves is in the log, and what an erasure took meanwhile does not leave.
      const read = await deps.evidence.segments(workspace.id, found.asset.id, segmentIds);
      // After its segments: the asset then knows of every erasure that one of them shows.
      const stored = await findOwnAsset(deps, caller, params.asset_id);
      const shown: RetrievedSegment[] = [];
      for (const segment of read) shown.push(await toSegmentResource(deps, workspace, stored, segment));
      return {
        status: 200,
        body: {
          source_ref: sourceRefOf(workspace, stored, noted, segmentIds),
          access_event_id: noted.id,
          segments: shown,
          ledger: {
            origin: workspace.origin,
            leaf_index: noted.entry.leafIndex,
            leaf_hash: formatHex(noted.entry.leafHash),
            entry: noted.entry.entry,
          },
        },
      };
    },
  });
}

/** The places of segments, ascending. Throws `segment_not_found` that names all ids that are not of this asset. */
async function indexesOf(
  { evidence }: EvidenceDeps,
  workspaceId: string,
  { asset }: StoredAsset,
  ids: readonly string[],
): Promise<readonly number[]> {
  const places = new Map((await evidence.segmentIds(workspaceId, asset.id)).map((id, index) => [id, index]));
  const errors = ids.flatMap((id, n) =>
    places.has(id)
      ? []
      : [
          {
            pointer: `/segment_ids/${n}`,
            detail:
              'must be a segment_id of this asset; a retrieval without segment_ids returns all of them with their ids',
          },
        ],
  );
  if (errors.length > 0)
    throw new ServiceError('segment_not_found', 'a segment does not belong to this asset', { errors });
  return ids.map((id) => places.get(id) ?? 0).sort((a, b) => a - b);
}

/** What can be put into the `source_refs` of an answer as it is. */
function sourceRefOf(
  workspace: Workspace,
  stored: StoredAsset,
  { id, sourceRefId }: NotedAccess,
  segmentIds: readonly string[] | null,
): JsonObject {
  const opened = openAssetDetails(workspace, stored);
  return {
    source_ref_id: sourceRefId,
    source_type: 'evidence_asset',
    ...(opened?.name ? { source_name: opened.name.item } : {}),
    ...(opened?.content_hash ? { source_hash: opened.content_hash.item } : {}),
    evidence_asset_id: stored.asset.id,
    access_event_id: id,
    ...(segmentIds === null ? {} : { segment_ids: segmentIds }),
  };
}
