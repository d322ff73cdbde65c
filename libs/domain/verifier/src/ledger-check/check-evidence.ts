import {
  type AssetDetails,
  type EntryType,
  evidenceDetailHashes,
  type EvidenceAccessRow,
  type EvidenceAssetRow,
  type EvidenceRegisteredCore,
  type JsonValue,
  type LeafRow,
  recordCore,
  type SegmentContents,
} from '@answer-evidence/contracts';
import { canonicalize, formatHex, parseHex, parseJsonText } from '@answer-evidence/encoding';
import { growSegmentTree, hashSegment, hashSegmentText } from '@answer-evidence/evidence';
import {
  evidenceAccessedCoreOf,
  evidenceExpiredCoreOf,
  evidenceLinkedCoreOf,
  evidenceRedactedCoreOf,
  evidenceRegisteredCoreOf,
  hashCoreText,
  hashItem,
  isTouched,
  parseSegmentIndexes,
} from '@answer-evidence/ledger';
import { assertSame, CheckFailure } from '../verdict.ts';
import type { EvidenceRows } from './evidence-rows.ts';
import type { Findings } from './findings.ts';
import type { LedgerReader, LedgerRows } from './ledger-reader.ts';
import type { SettingsSeries } from './settings-series.ts';

const HASH_BYTES = 32;
const SALT_BYTES = 16;
const idsSchema = recordCore.shape.evidence_access_event_ids;

/** Everything that hangs on one `evidence_registered` leaf. */
type AssetRows = {
  readonly asset: EvidenceAssetRow;
  readonly leaves: readonly LeafRow[];
  readonly rows: EvidenceRows;
};

/** The evidence of a run of leaves: assets with all that belongs to them wherever it is, links, and what records bind. */
export async function checkEvidence(
  rows: LedgerRows,
  evidence: EvidenceRows,
  settings: SettingsSeries,
  reader: LedgerReader,
  findings: Findings,
): Promise<void> {
  const assets = new Map(evidence.assets.map((row) => [row.entry_id, row]));
  const leaves = Map.groupBy(evidence.leaves, (leaf) => leaf.subject);
  for (const leaf of rows.leaves) {
    if (leaf.type !== 'evidence_registered') continue;
    const asset = assets.get(leaf.id);
    const place = { check: 'evidence', object: `asset ${leaf.subject}`, leafIndex: leaf.leaf_index };
    if (asset === undefined) findings.add(place, 'its row is missing');
    else
      await checkAsset(
        { asset, leaves: leaves.get(asset.id) ?? [], rows: of(evidence, asset.id) },
        leaf,
        settings,
        reader,
        findings,
      );
  }
  await checkLinks(rows, evidence, findings);
  await checkBindings(rows, evidence, findings);
}

function of(evidence: EvidenceRows, assetId: string): EvidenceRows {
  const own = <Row extends { readonly asset_id: string }>(all: readonly Row[]) =>
    all.filter((row) => row.asset_id === assetId);
  const originals = own(evidence.originals);
  return {
    ...evidence,
    segments: own(evidence.segments),
    segmentContents: own(evidence.segmentContents),
    details: own(evidence.details),
    originals,
    contents: evidence.contents.filter(({ id }) => originals.some((original) => original.content_id === id)),
    accesses: own(evidence.accesses),
    redactions: own(evidence.redactions),
    expiries: own(evidence.expiries),
    states: own(evidence.states),
  };
}

async function checkAsset(
  of: AssetRows,
  leaf: LeafRow,
  settings: SettingsSeries,
  reader: LedgerReader,
  findings: Findings,
): Promise<void> {
  const { asset, rows } = of;
  const place = { check: 'evidence', object: `asset ${asset.id}`, leafIndex: leaf.leaf_index };
  const core = await findings.guard(place, () => readAsset(asset, leaf, settings));
  await findings.guard({ ...place, check: 'evidence_segments' }, () => checkSegments(of));
  const guardRow = (object: string, part: () => void) => findings.guard({ ...place, object }, part);
  for (const access of rows.accesses) await guardRow(`access ${access.id}`, () => checkAccess(access, of));
  for (const row of rows.redactions)
    await guardRow(`redaction ${row.id} of evidence`, () =>
      checkRow('evidence_redacted', row.id, of, () => evidenceRedactedCoreOf(row), {
        access_ids_json: row.access_ids_json,
        segments_json: row.segments_json,
      }),
    );
  for (const row of rows.expiries)
    await guardRow(`expiry ${row.id} of evidence`, () =>
      checkRow('evidence_expired', row.id, of, () => evidenceExpiredCoreOf(row), {}),
    );
  const known = new Set([
    asset.entry_id,
    ...[...rows.accesses, ...rows.redactions, ...rows.expiries].map(({ id }) => id),
  ]);
  for (const other of of.leaves)
    if (!known.has(other.id))
      findings.add({ ...place, object: `leaf ${other.leaf_index}`, leafIndex: other.leaf_index }, 'its row is missing');
  await findings.guard({ ...place, check: 'evidence_state' }, () => checkState(of));
  if (core !== undefined)
    await findings.guard({ ...place, check: 'evidence_contents' }, () => checkContents(of, core, reader));
}

function readAsset(asset: EvidenceAssetRow, leaf: LeafRow, settings: SettingsSeries): EvidenceRegisteredCore {
  const core = evidenceRegisteredCoreOf(asset);
  assertSame('its hash', formatHex(leaf.hash), formatHex(hashCoreText('evidence_registered', canonicalize(core))));
  assertSame('its subject', asset.id, leaf.subject);
  assertSame('its leaf index', leaf.leaf_index, asset.leaf_index);
  assertSame('the settings version it was made under', settings.versionAt(leaf.leaf_index), core.settings_version);
  assertCanonical('details_json', asset.details_json);
  assertCanonical('created_by_json', asset.created_by_json);
  return core;
}

function checkSegments({ asset, rows }: AssetRows): void {
  const segments = rows.segments.toSorted((a, b) => a.segment_index - b.segment_index);
  assertSame('the number of segments', asset.segment_count, segments.length);
  segments.forEach((segment, index) => assertSame('the index of a segment', index, segment.segment_index));
  const identities = segments.map(({ id, hash }) => ({ segment_id: id, hash: `sha256:${formatHex(hash)}` }));
  const root = identities.length === 0 ? null : `sha256:${formatHex(growSegmentTree(identities).root)}`;
  assertSame('the root of its segments', String(asset.segments_root), String(root));
}

function checkAccess(access: EvidenceAccessRow, of: AssetRows): void {
  const leaf = checkRow('evidence_accessed', access.id, of, () => evidenceAccessedCoreOf(access), {
    segments_json: access.segments_json,
    range_json: access.range_json,
    actor_json: access.actor_json,
  });
  assertSame('its leaf index', leaf.leaf_index, access.leaf_index);
  assertSame('its application', of.asset.application_key, access.application_key);
}

/** A row against the leaf of its id. */
function checkRow(
  type: EntryType,
  id: string,
  { leaves }: AssetRows,
  readCore: () => JsonValue,
  columns: Readonly<Record<string, string>>,
): LeafRow {
  const leaf = leaves.find((one) => one.id === id && one.type === type);
  if (leaf === undefined) throw new CheckFailure('it has no leaf that names its asset');
  assertSame('its hash', formatHex(leaf.hash), formatHex(hashCoreText(type, canonicalize(readCore()))));
  assertSame('the seq in its leaf', 0, leaf.seq);
  for (const [column, text] of Object.entries(columns)) assertCanonical(column, text);
  return leaf;
}

/** What is erased of an asset, as the log has it. */
function erasedOf({ rows }: AssetRows) {
  const redacted = rows.redactions.map((row) => parseSegmentIndexes(row.segments_json));
  const isWhole = rows.expiries.length > 0 || redacted.some((segments) => segments === null);
  return {
    isWhole,
    isAny: isWhole || redacted.length > 0,
    has: (index: number) => isWhole || redacted.some((segments) => isTouched([index], segments)),
  };
}

function checkState(of: AssetRows): void {
  const [state, ...more] = of.rows.states;
  if (more.length > 0) throw new CheckFailure('it has more than one state');
  const { rows } = of;
  const allowed =
    rows.redactions.length === 0 && rows.expiries.length === 0
      ? ['available']
      : [...(rows.redactions.length > 0 ? ['redacted'] : []), ...(rows.expiries.length > 0 ? ['expired'] : [])];
  if (state?.state === 'available') throw new CheckFailure('a state is stored that no row stands for');
  const actual = state?.state ?? 'available';
  if (!allowed.includes(actual)) assertSame('its state', allowed[0] ?? '', actual);
}

/** What can be erased of an asset is there and is the same where no leaf erased it, and gone where one did. */
async function checkContents(of: AssetRows, core: EvidenceRegisteredCore, reader: LedgerReader): Promise<void> {
  const { asset, rows } = of;
  const erased = erasedOf(of);
  const detailHashes = evidenceDetailHashes.parse(core.details);
  const hasDetails = Object.values(detailHashes).some((hash) => hash !== null);
  const detailRow = rows.details.find(({ object_id: id }) => id === asset.id);
  if (detailRow !== undefined && (erased.isWhole || !hasDetails))
    throw new CheckFailure('details are kept that must be gone');
  let contentHash: string | null = null;
  if (detailRow !== undefined) {
    const details = (await open(
      reader,
      detailRow.object_id,
      detailRow.wrapped_key,
      'details',
      detailRow.sealed,
    )) as AssetDetails;
    for (const name of ['name', 'content_hash', 'external_uri', 'attributes'] as const) {
      const kept = detailHashes[name] !== null && !(name === 'content_hash' && erased.isAny);
      const item = details[name];
      if (kept !== (item !== null))
        throw new CheckFailure(`its ${name} ${kept ? 'is missing' : 'is there and must not be'}`);
      if (item !== null)
        assertSame(`the hash of its ${name}`, String(detailHashes[name]), hashItem(item.salt, item.item));
    }
    contentHash = details.content_hash?.item ?? null;
  } else if (hasDetails && !erased.isWhole && keepsOther(detailHashes)) {
    throw new CheckFailure('its details are missing');
  }
  await checkOriginal(of, erased.isAny, contentHash, reader);
  const contents = new Map(rows.segmentContents.map((row) => [row.segment_index, row]));
  for (const segment of rows.segments) {
    const row = contents.get(segment.segment_index);
    contents.delete(segment.segment_index);
    const kept = !erased.has(segment.segment_index);
    const name = `segment ${segment.segment_index + 1}`;
    if (kept !== (row !== undefined))
      throw new CheckFailure(`${name} ${kept ? 'is missing' : 'is there and must not be'}`);
    if (row === undefined) continue;
    const opened = (await open(reader, segment.id, row.wrapped_key, 'segment', row.sealed)) as SegmentContents;
    const hash =
      opened.text === null
        ? hashSegment(
            parseHex(opened.salt, SALT_BYTES),
            parseHex((contentHash ?? '').slice('sha256:'.length), HASH_BYTES),
          )
        : hashSegmentText(opened.salt, opened.text);
    assertSame(`the hash of ${name}`, `sha256:${formatHex(segment.hash)}`, hash);
  }
  if (contents.size > 0) throw new CheckFailure('contents are kept of segments that it does not have');
  await checkPurposes(of, reader);

  function keepsOther(hashes: EvidenceRegisteredCore['details']): boolean {
    const left = erased.isAny ? { ...hashes, content_hash: null } : hashes;
    return Object.values(left).some((hash) => hash !== null);
  }
}

async function checkOriginal(
  { asset, rows }: AssetRows,
  isErased: boolean,
  contentHash: string | null,
  reader: LedgerReader,
): Promise<void> {
  const [original] = rows.originals;
  const kept = asset.size_bytes !== null && !isErased;
  if (kept !== (original !== undefined))
    throw new CheckFailure(`its original ${kept ? 'is missing' : 'is there and must not be'}`);
  if (original === undefined) return;
  const content = rows.contents.find(({ id }) => id === original.content_id);
  if (content === undefined) throw new CheckFailure('the content that is its original is missing');
  assertSame('the size of its original', asset.size_bytes ?? -1, content.size_bytes);
  assertSame('the hash of its original', String(contentHash), content.content_hash);
  if (!(await reader.opensContent(content))) throw new CheckFailure('the key of its original was altered');
}

/** A purpose goes with a redaction that found the asset by its access, and with an expiry that stands after the access; else it stays. */
async function checkPurposes({ rows, asset, leaves }: AssetRows, reader: LedgerReader): Promise<void> {
  const redacted = new Set(rows.redactions.flatMap((row) => idsSchema.parse(parseJsonText(row.access_ids_json))));
  const places = new Map(leaves.map((leaf) => [leaf.id, leaf.leaf_index]));
  const expiredAt = Math.max(-1, ...rows.expiries.map(({ id }) => places.get(id) ?? -1));
  const details = new Map(rows.details.map((row) => [row.object_id, row]));
  details.delete(asset.id);
  for (const access of rows.accesses) {
    const row = details.get(access.id);
    details.delete(access.id);
    const hash = access.purpose_hash;
    const isGone = redacted.has(access.id) || access.leaf_index < expiredAt;
    if (row === undefined) {
      if (hash !== null && !isGone) throw new CheckFailure(`the purpose of access ${access.id} is missing`);
      continue;
    }
    if (isGone) throw new CheckFailure(`the purpose of access ${access.id} is there and must not be`);
    if (hash === null) throw new CheckFailure(`access ${access.id} has details and no purpose`);
    const opened = (await open(reader, access.id, row.wrapped_key, 'details', row.sealed)) as {
      readonly purpose: { readonly salt: string; readonly item: string };
    };
    assertSame(
      `the hash of the purpose of access ${access.id}`,
      hash,
      hashItem(opened.purpose.salt, opened.purpose.item),
    );
  }
  if (details.size > 0) throw new CheckFailure('details are kept of nothing that it has');
}

async function open(reader: LedgerReader, objectId: string, wrappedKey: Uint8Array, field: string, sealed: Uint8Array) {
  try {
    return await reader.openEvidence(objectId, wrappedKey, field, sealed);
  } catch {
    throw new CheckFailure('something sealed was altered: it does not open under its key');
  }
}

async function checkLinks(rows: LedgerRows, { links }: EvidenceRows, findings: Findings): Promise<void> {
  const stored = new Map(links.map((row) => [row.id, row]));
  for (const leaf of rows.leaves) {
    if (leaf.type !== 'evidence_linked') continue;
    const row = stored.get(leaf.id);
    const place = { check: 'evidence', object: `link ${leaf.id}`, leafIndex: leaf.leaf_index };
    await findings.guard(place, () => {
      if (row === undefined) throw new CheckFailure('its row is missing');
      const hash = hashCoreText('evidence_linked', canonicalize(evidenceLinkedCoreOf(row)));
      assertSame('its hash', formatHex(leaf.hash), formatHex(hash));
      assertSame('its subject', row.record_id, leaf.subject);
      assertCanonical('actor_json', row.actor_json);
    });
  }
}

/** The rows for looking up by access against the cores of the records that bind them. */
async function checkBindings(rows: LedgerRows, { bindings }: EvidenceRows, findings: Findings): Promise<void> {
  const stored = Map.groupBy(bindings, (row) => row.record_id);
  for (const record of rows.records) {
    const place = { check: 'evidence', object: `bindings of record ${record.id}`, leafIndex: record.leaf_index };
    await findings.guard(place, () => {
      const named = [...new Set(idsSchema.parse(parseJsonText(record.evidence_access_event_ids_json)))].sort();
      const found = (stored.get(record.id) ?? []).map((row) => row.access_id).sort();
      assertSame('the accesses that it binds', named.join(' '), found.join(' '));
    });
  }
}

function assertCanonical(column: string, text: string): void {
  if (canonicalize(parseJsonText(text)) !== text) throw new CheckFailure(`${column} is not in canonical form`);
}
