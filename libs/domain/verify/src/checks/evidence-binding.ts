import { verifySegment } from '@answer-evidence/commitments';
import {
  type BundleEvidence,
  type EvidenceAccessedCore,
  evidenceAccessedCore,
  type EvidenceExpiredCore,
  evidenceExpiredCore,
  type EvidenceRedactedCore,
  evidenceRedactedCore,
  type EvidenceRegisteredCore,
  evidenceRegisteredCore,
  type JsonObject,
  type JsonValue,
} from '@answer-evidence/contracts';
import { parseHex, parseTimestamp } from '@answer-evidence/encoding';
import { retentionEnd } from '@answer-evidence/lifecycle';
import { type BundleContext, findEntry, readEntry } from '../bundle-context.ts';
import { findGaps, skipForGaps } from '../log-gaps.ts';
import { assertSame, CheckFailure, notApplicable, pass, type Verdict } from '../verdict.ts';

type ShownAsset = BundleEvidence['assets'][number];
type Access = { readonly name: string; readonly leafIndex: number; readonly core: EvidenceAccessedCore };
/** What an entry says is gone of an asset: indexes of segments, null for all of it. */
type Erasure = { readonly leafIndex: number; readonly segments: ReadonlySet<number> | null };
type Asset = {
  readonly name: string;
  readonly core: EvidenceRegisteredCore;
  readonly shown: ShownAsset;
  readonly erasures: readonly Erasure[];
};

/**
 * The accesses that the record binds: each is in the log before the record, by its application, to an asset that was
 * registered before, and what is shown of the asset is what was registered. What a redaction of the record was to take
 * away is gone, and nothing that is gone is shown.
 */
export async function checkEvidenceBinding(context: BundleContext): Promise<Verdict> {
  const { core, leaf_index: recordLeaf } = context.bundle.record;
  const ids = core.evidence_access_event_ids;
  const evidence = context.bundle.evidence ?? { accesses: [], assets: [] };

  const accesses = evidence.accesses.map((leaf, i): Access => {
    const name = `access ${i + 1}`;
    const access = readCore(name, evidenceAccessedCore, leaf.core);
    assertSame(`the application of ${name}`, core.application_key, access.application_key);
    if (leaf.leaf_index >= recordLeaf)
      throw new CheckFailure(`${name} comes after the record that binds it in the log`);
    return { name, leafIndex: leaf.leaf_index, core: access };
  });
  assertSame('which accesses are shown', listIds(ids), listIds(accesses.map((access) => access.core.id)));
  const assets = evidence.assets.map((asset, i) => readAsset(context, asset, `asset ${i + 1}`));
  const accessed = new Set(accesses.map((access) => access.core.asset_id));
  assertSame('which assets are shown', listIds(accessed), listIds(assets.map((asset) => asset.core.asset_id)));
  if (ids.length === 0) return notApplicable('the record names no access event');
  for (const asset of assets) {
    const of = accesses.filter((access) => access.core.asset_id === asset.core.asset_id);
    for (const access of of) checkAccess(access, asset);
    checkSegments(asset, of);
    await checkAllErasuresShown(context, asset);
  }
  const redacted = checkRedactions(context, accesses, assets);
  const { log } = context.options;
  const gaps = log === undefined ? [] : await findGaps(log, context.readCheckpoint().checkpoint.size);
  if (gaps.length > 0) return skipForGaps(gaps, 'an erasure of the evidence could have been left out');
  const gone =
    redacted === 0 ? '' : `; the accessed content of ${redacted} was erased, according to entries of the log`;
  return pass(`${accesses.length} accesses by this application are in the log before the record${gone}`);
}

function listIds(ids: Iterable<string>): string {
  return [...new Set(ids)].sort().join(' ');
}

type Schema<T> = { safeParse(value: unknown): { readonly success: boolean; readonly data?: T | undefined } };

function readCore<T>(name: string, schema: Schema<T>, core: JsonObject): T {
  const read = schema.safeParse(core);
  if (!read.success || read.data === undefined) throw new CheckFailure(`the core of ${name} does not have its form`);
  return read.data;
}

function readAsset(context: BundleContext, shown: ShownAsset, name: string): Asset {
  const core = readCore(name, evidenceRegisteredCore, shown.registered.core);
  assertSame(`the application of ${name}`, context.bundle.record.core.application_key, core.application_key);
  const erasures = shown.erasures.map((leaf, n): Erasure => {
    const what = `erasure ${n + 1} of ${name}`;
    const { type, at } = readEntry({ name: what, entry: leaf.entry });
    const schema: Schema<EvidenceExpiredCore | EvidenceRedactedCore> =
      type === 'evidence_expired' ? evidenceExpiredCore : evidenceRedactedCore;
    const erasure = readCore(what, schema, leaf.core);
    assertSame(`the asset of ${what}`, core.asset_id, erasure.asset_id);
    const segments = 'segments' in erasure ? erasure.segments : null;
    assertIndexes(what, segments, core.segment_count);
    if (leaf.leaf_index <= shown.registered.leaf_index) throw new CheckFailure(`${what} precedes the asset in the log`);
    if ('retained_until' in erasure) assertDue(what, erasure, core, { context, leafIndex: leaf.leaf_index, at });
    return { leafIndex: leaf.leaf_index, segments: segments === null ? null : new Set(segments) };
  });
  return { name, core, shown, erasures };
}

/** An expiry came after the retention that it states, which is no earlier than that of asset and record by then. */
function assertDue(
  what: string,
  expiry: EvidenceExpiredCore,
  asset: EvidenceRegisteredCore,
  { context, leafIndex, at }: { readonly context: BundleContext; readonly leafIndex: number; readonly at: string },
): void {
  const { record, events } = context.bundle;
  const end = parseTimestamp(expiry.retained_until);
  if (parseTimestamp(at) <= end) throw new CheckFailure(`${what} is in the log before its retention ended`);
  const before = events.filter((event) => event.leaf_index < leafIndex).map((event) => event.core);
  const isHeld = record.leaf_index < leafIndex;
  const held = isHeld ? retentionEnd(parseTimestamp(record.core.retention_until), before) : end;
  if (end < Math.max(parseTimestamp(asset.retention_until), held))
    throw new CheckFailure(`${what} states an earlier retention end than the asset or the record`);
}

function assertIndexes(what: string, indexes: readonly number[] | null, count: number): void {
  if (indexes?.some((index) => index >= count) === true)
    throw new CheckFailure(`${what} names a segment that the asset does not have`);
}

function checkAccess({ name, leafIndex, core }: Access, asset: Asset): void {
  if (leafIndex <= asset.shown.registered.leaf_index)
    throw new CheckFailure(`${name} precedes the accessed asset in the log`);
  assertIndexes(name, core.segments, asset.core.segment_count);
  // Whatever an erasure takes, the original goes with it.
  if (core.access === 'download' && asset.erasures.some((erasure) => erasure.leafIndex < leafIndex))
    throw new CheckFailure(`${name} downloads an original that was already erased, according to the log`);
}

/** Whether an erasure takes this segment, null standing for the whole asset. */
function covers({ segments: gone }: Erasure, segment: number | null): boolean {
  return gone === null || (segment !== null && gone.has(segment));
}

/** Each accessed segment is shown in its place in the asset; a text shown is the one committed to, and not gone. */
function checkSegments({ name, core, shown, erasures }: Asset, accesses: readonly Access[]): void {
  const named = new Set(accesses.flatMap((access) => access.core.segments ?? []));
  const shownIndexes = new Set(shown.segments.map(({ index }) => index));
  for (const index of named)
    if (!shownIndexes.has(index))
      throw new CheckFailure(`segment ${index + 1} of ${name} was accessed but is not shown`);
  if (shownIndexes.size !== shown.segments.length) throw new CheckFailure(`a segment of ${name} is shown twice`);
  if (shown.segments.length === 0) return;
  if (core.segments_root === null) throw new CheckFailure(`segments of ${name} are shown, but it has none`);
  const root = parseHex(core.segments_root.slice('sha256:'.length));
  for (const { index, segment_id, hash, proof, disclosed } of shown.segments) {
    const { salt, text } = disclosed ?? { salt: null, text: null };
    const hashes = proof.map((hex) => parseHex(hex));
    verifySegment({ index, segment_id, hash, proof: hashes, salt, text }, core.segment_count, root);
    if (text !== null && erasures.some((erasure) => covers(erasure, index)))
      throw new CheckFailure(
        `segment ${index + 1} of ${name} is shown, although it was erased according to an entry of the log`,
      );
  }
}

/** With the log at hand, no erasure of the asset is left out. */
async function checkAllErasuresShown(
  { options, readCheckpoint }: BundleContext,
  { name, core, erasures }: Asset,
): Promise<void> {
  if (options.log === undefined) return;
  const { checkpoint } = readCheckpoint();
  const shown = new Set(erasures.map(({ leafIndex }) => leafIndex));
  for (const { leaf_index: index, entry } of await options.log.entriesNaming(core.asset_id, checkpoint.size)) {
    const type = findEntry({ name, entry })?.type;
    if ((type === 'evidence_redacted' || type === 'evidence_expired') && !shown.has(index))
      throw new CheckFailure(`leaf ${index} of the log erased part of ${name} but is not shown`);
  }
}

/**
 * What the record's redactions say about its accesses: an event that names what an access issued took away what was
 * accessed, and an erasure that names the record was made by an event that is shown. Returns of how many accesses all
 * is gone that was accessed.
 */
function checkRedactions({ bundle }: BundleContext, accesses: readonly Access[], assets: readonly Asset[]): number {
  const events = bundle.events.filter(({ core }) => core.event_type === 'redacted');
  const eventIds = new Set<JsonValue | undefined>(events.map(({ core }) => core.id));
  const named = new Set(events.flatMap(({ core }) => core.payload.redact_source_ref_ids ?? []));
  for (const { name, shown } of assets)
    for (const { core } of shown.erasures)
      if (core['answer_log_id'] === bundle.record.core.id && !eventIds.has(core['event_id']))
        throw new CheckFailure(`an erasure of ${name} names an event that the record does not have`);
  const gone = accesses.filter(({ core: { asset_id: id, segments } }) => {
    const erasures = assets.find((asset) => asset.core.asset_id === id)?.erasures ?? [];
    if (segments === null) return erasures.some((erasure) => covers(erasure, null));
    return segments.every((index) => erasures.some((erasure) => covers(erasure, index)));
  });
  for (const access of accesses)
    if (named.has(access.core.source_ref_id) && !gone.includes(access))
      throw new CheckFailure(
        `the content of ${access.name} was redacted with the record, but no entry records the erasure`,
      );
  return gone.length;
}
