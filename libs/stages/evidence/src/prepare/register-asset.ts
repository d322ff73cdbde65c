import { actorOf, assertApplication, type Caller } from '@answer-evidence/access';
import { type EvidenceMetadata, evidenceName, type ProblemError, ServiceError } from '@answer-evidence/contracts';
import { canonicalize, MICROS_PER_DAY, utf8 } from '@answer-evidence/encoding';
import {
  type AppendCommand,
  createEvidenceAssetCommand,
  guardCommand,
  type IdempotencyClaim,
  type PreparedAsset,
  type VersionedSettings,
} from '@answer-evidence/ledger';
import { newId, newNonce, refusalOfClock, type StoredAsset, type Workspace } from '@answer-evidence/ports';
import { claimKey, withoutEmpty } from '@answer-evidence/preparation';
import type { EvidenceLinkRow } from '@answer-evidence/tables';
import type { EvidenceDeps } from '../deps.ts';
import { checkMetadata } from './check-metadata.ts';
import { decideContentType, describeOtherType, essenceOf, kindOf } from './content-type.ts';
import { assertExternalUri } from './external-uri.ts';
import { tooLarge } from './inspect-content.ts';
import { sealAssetDetails } from './seal-details.ts';
import { type SealedSegments, sealSegments, sealWholeSegment, splitText } from './segment-content.ts';
import { discardContent, storeContent, type StoredContent } from './store-content.ts';

/** An asset as it was submitted. At least one of content, segments and external URI is there. */
export type AssetSubmission = {
  readonly metadata: EvidenceMetadata;
  readonly content: {
    readonly bytes: AsyncIterable<Uint8Array>;
    readonly fileName: string | undefined;
    readonly contentType: string | undefined;
  } | null;
  readonly externalUri: string | null;
  readonly idempotencyKey: string | null;
  /** The record that it is put beside, with its application. */
  readonly record: { readonly id: string; readonly applicationKey: string } | null;
};

/** What a registration came to. */
export type RegisteredAsset = {
  readonly stored: StoredAsset;
  readonly isReplay: boolean;
  /** What was kept in another form than it was stated. */
  readonly warnings: readonly ProblemError[];
};

/**
 * Registers an asset: stores its content, splits it, and appends its entry, with a link where it was made for a record.
 * When it returns, the asset is durable, and of equal bytes one object is kept. Nothing of a refused one stays. Throws
 * `ServiceError`.
 */
export async function registerAsset(
  deps: EvidenceDeps,
  workspace: Workspace,
  caller: Caller,
  submission: AssetSubmission,
): Promise<RegisteredAsset> {
  const { metadata, externalUri } = submission;
  const applicationKey = applicationOf(caller, submission);
  checkMetadata(metadata);
  if (externalUri !== null) assertExternalUri(externalUri);
  const source = submission.content?.bytes ?? ownSegmentsAsContent(submission);
  const settings = await deps.readFreshSettings(workspace.id);
  // A replay is not judged by today's settings: what was accepted once may return. Its end shows whether it is one.
  const { idempotencyKey } = submission;
  const replayed =
    idempotencyKey === null
      ? undefined
      : await deps.evidence.sizeUnderKey(workspace.id, scopeOf(applicationKey), idempotencyKey);
  const content =
    source === null
      ? null
      : await storeContent(deps, workspace, source, {
          bytesMax: Math.max(settings.values.answer_audit_evidence_max_bytes, replayed ?? 0),
          sha256Hex: metadata.sha256,
        });
  try {
    const prepare = await prepareAsset(deps, workspace, caller, submission, applicationKey, content);
    const outcome = await deps.ledger.append(workspace.id, (current) =>
      guardCommand(prepare(current), actorOf(caller), 'evidence.create', { application_key: applicationKey }),
    );
    const assetId = outcome.kind === 'replayed' ? outcome.objectId : outcome.command.subject;
    const stored = await deps.evidence.find(workspace.id, assetId);
    if (stored === undefined) throw new Error('a registered asset is stored');
    if (content !== null) await discardUnlessKept(deps, workspace, content);
    return { stored, isReplay: outcome.kind === 'replayed', warnings: warningsOf(submission, stored) };
  } catch (error) {
    // Only what the ledger refused is surely unused; all else may be kept, and the sweep removes it if not.
    if (content !== null && error instanceof ServiceError && isRefusal(error))
      await discardContent(deps, workspace, content.row.id);
    throw error;
  }
}

/** A reference is not fetched, so its type is the stated one. */
function warningsOf(submission: AssetSubmission, { asset }: StoredAsset): readonly ProblemError[] {
  const detail = describeOtherType(statedTypeOf(submission), asset.content_type);
  return detail === undefined ? [] : [{ pointer: '/content_type', detail }];
}

function statedTypeOf({ metadata, content }: AssetSubmission): string | undefined {
  return metadata.content_type ?? content?.contentType;
}

/** Whether nothing was kept. */
function isRefusal({ remedy, code }: ServiceError): boolean {
  return remedy === 'fix-request' || code === 'clock_behind';
}

/** Of equal bytes the content that came first is kept; this one's object is then of no use. */
async function discardUnlessKept(deps: EvidenceDeps, workspace: Workspace, { row }: StoredContent): Promise<void> {
  const kept = await deps.evidence.existingContents(workspace.id, [row.id]);
  if (!kept.has(row.id)) await discardContent(deps, workspace, row.id);
}

/** Whose asset it is: an application token's own, the record's, or the one that a user names. */
function applicationOf(caller: Caller, { metadata, record }: AssetSubmission): string {
  const named = metadata.application_key;
  if (record !== null && named !== undefined && named !== record.applicationKey)
    throw fault('/application_key', "must be the record's application key, or left out");
  const applicationKey =
    record?.applicationKey ?? named ?? (caller.kind === 'application' ? caller.applicationKey : undefined);
  if (applicationKey === undefined) throw fault('/application_key', 'is required, since the token has none');
  assertApplication(caller, { application_key: applicationKey });
  return applicationKey;
}

function fault(pointer: string, detail: string): ServiceError {
  return new ServiceError('schema_violation', 'the request is invalid', {
    errors: [{ pointer, detail }],
  });
}

/** Passages without a file are a text to download, joined by empty lines; those of a reference are only read. */
function ownSegmentsAsContent({ metadata, externalUri }: AssetSubmission): AsyncIterable<Uint8Array> | null {
  const { segments } = metadata;
  if (segments === undefined || externalUri !== null) return null;
  const bytes = utf8(segments.join('\n\n'));
  return (async function* () {
    yield await Promise.resolve(bytes);
  })();
}

/** Everything of an asset that does not depend on the settings, once; and the command for the settings in force. */
async function prepareAsset(
  deps: EvidenceDeps,
  workspace: Workspace,
  caller: Caller,
  submission: AssetSubmission,
  applicationKey: string,
  content: StoredContent | null,
): Promise<(settings: VersionedSettings) => AppendCommand> {
  const { metadata, externalUri, idempotencyKey, record } = submission;
  const assetId = newId(deps);
  const entryId = newId(deps);
  const name = metadata.name ?? evidenceName.safeParse(submission.content?.fileName).data ?? null;
  const statedType = statedTypeOf(submission);
  const contentType =
    content === null
      ? (essenceOf(statedType) ?? null)
      : await decideContentType(deps.sniffer, content, { contentType: statedType, name: name ?? undefined });
  const contentHash = content?.row.content_hash ?? (metadata.sha256 === undefined ? null : `sha256:${metadata.sha256}`);
  const segments = await segmentsOf(deps, workspace, assetId, metadata, content, contentType);
  const details = sealAssetDetails(deps.random, workspace, assetId, {
    name,
    contentHash,
    externalUri,
    attributes: metadata.attributes ?? null,
  });
  const idempotency =
    idempotencyKey === null ? null : claim(workspace, assetId, applicationKey, idempotencyKey, submission, contentHash);
  const actor = canonicalize(actorOf(caller));
  const nonce = newNonce(deps);
  const link: EvidenceLinkRow | null = record && {
    record_id: record.id,
    id: newId(deps),
    asset_id: assetId,
    nonce: newNonce(deps),
    actor_json: actor,
  };

  return (settings) => {
    const { answer_audit_default_retention_days: days, answer_audit_evidence_max_bytes: bytesMax } = settings.values;
    const prepared: PreparedAsset = {
      row: {
        id: assetId,
        entry_id: entryId,
        nonce,
        application_key: applicationKey,
        idempotency_key: idempotencyKey,
        kind: externalUri === null && contentType !== null ? kindOf(contentType) : 'reference',
        content_type: contentType,
        size_bytes: content?.row.size_bytes ?? null,
        details_json: canonicalize(details.hashes),
        segments_root: segments.root,
        segment_count: segments.rows.length,
        created_by_json: actor,
        settings_version: settings.version,
      },
      keptForMicros: days * MICROS_PER_DAY,
      content: content?.row ?? null,
      segments: segments.rows,
      segmentContents: segments.contents,
      details: details.row,
      link,
    };
    // The settings may have become stricter while the content came in.
    const isTooLarge = content !== null && content.row.size_bytes > bytesMax;
    return createEvidenceAssetCommand(
      assetId,
      entryId,
      settings.version,
      idempotency,
      isTooLarge ? tooLarge(bytesMax) : (refusalOfClock(deps.clockGuard) ?? prepared),
    );
  };
}

/** Most characters of a text that is split at once, beside everything else. */
const SPLIT_HERE_MAX = 64 * 1024;

async function segmentsOf(
  deps: EvidenceDeps,
  workspace: Workspace,
  assetId: string,
  metadata: EvidenceMetadata,
  content: StoredContent | null,
  contentType: string | null,
): Promise<SealedSegments> {
  if (metadata.segments !== undefined) return sealSegments(deps, workspace, assetId, metadata.segments);
  if (content === null) return { rows: [], contents: [], root: null };
  const texts =
    content.text === undefined || contentType === null
      ? []
      : await splitFairly(deps, workspace, content.text, contentType);
  if (texts.length > 0) return sealSegments(deps, workspace, assetId, texts);
  return sealWholeSegment(deps, workspace, assetId, content.digest);
}

function splitFairly(deps: EvidenceDeps, { id }: Workspace, text: string, contentType: string) {
  if (deps.splitElsewhere === undefined || text.length <= SPLIT_HERE_MAX)
    return Promise.resolve(splitText(text, contentType, deps.htmlReader));
  return deps.splitElsewhere(id, text, contentType);
}

/** Where an application's keys of assets are apart from its other ones. */
function scopeOf(applicationKey: string): string {
  return `evidence:${applicationKey}`;
}

function claim(
  { vault }: Workspace,
  assetId: string,
  applicationKey: string,
  key: string,
  { metadata, externalUri, content, record }: AssetSubmission,
  contentHash: string | null,
): IdempotencyClaim {
  const rest = {
    external_uri: externalUri,
    content_hash: contentHash,
    file_name: content?.fileName ?? null,
    file_type: content?.contentType ?? null,
    answer_log_id: record?.id ?? null,
  };
  // The hash is that of the content, and the application the one that is meant where none is named.
  const { sha256: _, application_key: __, ...described } = metadata;
  const effective = canonicalize(withoutEmpty({ ...rest, metadata: withoutEmpty(described) }));
  return claimKey(vault, { scope: scopeOf(applicationKey), key, objectId: assetId }, effective, () =>
    canonicalize({ ...rest, metadata }),
  );
}
