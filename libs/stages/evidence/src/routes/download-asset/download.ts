import { type DownloadEvidenceRequest, type EvidenceRange, ServiceError } from '@answer-evidence/contracts';
import type { StoredAsset, Workspace } from '@answer-evidence/ports';
import type { RouteReply } from '@answer-evidence/routes';
import { formatAttachment } from '../../content-disposition.ts';
import type { EvidenceDeps } from '../../deps.ts';
import { findOwnAsset } from '../../find-own.ts';
import { type Accessor, noteAccess } from '../../note-access.ts';
import { readOriginal } from '../../read-original.ts';
import { assertErased, openAssetDetails } from '../../resources/open-details.ts';

/** The original of an asset, or a part of it, when the access stands in the log. */
export async function downloadAsset(
  deps: EvidenceDeps,
  workspace: Workspace,
  accessor: Accessor,
  found: StoredAsset,
  { range: wanted, purpose }: DownloadEvidenceRequest,
): Promise<RouteReply> {
  const { asset } = found;
  if (asset.size_bytes === null)
    throw new ServiceError('not_found', 'the asset is a reference and has no content; use its external_uri');
  if (found.content === undefined) throw gone(found);
  const range = wanted === undefined ? undefined : within(wanted, asset.size_bytes);
  const noted = await noteAccess(deps, workspace, accessor, found, {
    access: 'download',
    segments: null,
    range: range ?? null,
    purpose: purpose ?? null,
    needsOriginal: true,
  });
  // Read again: an erasure may have come between.
  const stored = await findOwnAsset(deps, accessor.caller, asset.id);
  if (stored.content === undefined) throw gone(stored);
  const name = openAssetDetails(workspace, stored)?.name?.item ?? asset.id;
  return {
    status: range === undefined ? 200 : 206,
    contentType: asset.content_type ?? 'application/octet-stream',
    headers: {
      'Content-Disposition': formatAttachment(name),
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Evidence-Asset-Id': asset.id,
      'Evidence-Access-Event-Id': noted.id,
      'Evidence-Source-Ref-Id': noted.sourceRefId,
      ...(range === undefined
        ? {}
        : { 'Content-Range': `bytes ${range.offset}-${range.offset + range.length - 1}/${asset.size_bytes}` }),
    },
    stream: {
      bytes: readOriginal(deps, workspace, { assetId: asset.id, content: stored.content, range }),
      sizeBytes: range?.length ?? asset.size_bytes,
    },
  };
}

/** The range as far as there is something; one that begins behind the end is refused. */
function within({ offset, length }: EvidenceRange, sizeBytes: number): EvidenceRange {
  if (offset < sizeBytes) return { offset, length: Math.min(length, sizeBytes - offset) };
  const detail = `must be less than the ${sizeBytes} bytes of the original`;
  throw new ServiceError('schema_violation', 'the range starts beyond the end', {
    errors: [{ pointer: '/range/offset', detail }],
  });
}

function gone(stored: StoredAsset): ServiceError {
  assertErased(stored);
  return new ServiceError('gone_redacted', 'the original was redacted or has expired; do not retry');
}
