import { hashCoreText, rootOfSegments } from '@answer-evidence/commitments';
import { type EvidenceRegisteredCore, recordCore } from '@answer-evidence/contracts';
import { canonicalize, formatHex, parseJsonText } from '@answer-evidence/encoding';
import { coreOf, evidenceRegisteredCoreOf } from '@answer-evidence/ledger';
import {
  EVIDENCE_ACCESSES,
  EVIDENCE_EXPIRIES,
  EVIDENCE_LINKS,
  EVIDENCE_REDACTIONS,
  type EvidenceAccessRow,
  type EvidenceAssetRow,
  type LeafRow,
  type Table,
} from '@answer-evidence/tables';
import { assertSame, CheckFailure } from '@answer-evidence/verify/verdict';
import { type AssetRows, erasedOf, groupByAsset } from './asset-rows.ts';
import { checkCanonical } from './check-canonical.ts';
import { checkEvidenceContents } from './check-evidence-contents.ts';
import type { EvidenceRows } from './evidence-rows.ts';
import type { Findings } from './findings.ts';
import type { EvidenceContentReader, LedgerRows } from './ledger-reader.ts';
import type { SettingsSeries } from './settings-series.ts';

const idsSchema = recordCore.shape.evidence_access_event_ids;

/** The evidence of a range of leaves: assets with all that belongs to them, links, and what records bind. */
export async function checkEvidence(
  rows: LedgerRows,
  evidence: EvidenceRows,
  settings: SettingsSeries,
  reader: EvidenceContentReader,
  findings: Findings,
): Promise<void> {
  const assets = new Map(evidence.assets.map((row) => [row.entry_id, row]));
  const rowsOf = groupByAsset(evidence);
  for (const leaf of rows.leaves) {
    if (leaf.type !== 'evidence_registered') continue;
    const asset = assets.get(leaf.id);
    const place = { check: 'evidence', object: `asset ${leaf.subject}`, leafIndex: leaf.leaf_index };
    if (asset === undefined) findings.add(place, 'its row is missing');
    else await checkAsset(rowsOf(asset), leaf, settings, reader, findings);
  }
  await checkLinks(rows, evidence, findings);
  await checkBindings(rows, evidence, findings);
}

async function checkAsset(
  of: AssetRows,
  leaf: LeafRow,
  settings: SettingsSeries,
  reader: EvidenceContentReader,
  findings: Findings,
): Promise<void> {
  const { asset, rows } = of;
  const place = { check: 'evidence', object: `asset ${asset.id}`, leafIndex: leaf.leaf_index };
  const core = await findings.guard(place, () => readAsset(asset, leaf, settings));
  await findings.guard({ ...place, check: 'evidence_segments' }, () => checkSegments(of));
  const guardRow = (object: string, part: () => void) => findings.guard({ ...place, object }, part);
  for (const access of rows.accesses) await guardRow(`access ${access.id}`, () => checkAccess(access, of));
  for (const row of rows.redactions)
    await guardRow(`redaction ${row.id} of evidence`, () => checkRow(EVIDENCE_REDACTIONS, row, of));
  for (const row of rows.expiries)
    await guardRow(`expiry ${row.id} of evidence`, () => checkRow(EVIDENCE_EXPIRIES, row, of));
  const known = new Set([
    asset.entry_id,
    ...[...rows.accesses, ...rows.redactions, ...rows.expiries].map(({ id }) => id),
  ]);
  for (const other of of.leaves)
    if (!known.has(other.id))
      findings.add({ ...place, object: `leaf ${other.leaf_index}`, leafIndex: other.leaf_index }, 'its row is missing');
  await findings.guard({ ...place, check: 'evidence_state' }, () => checkState(of));
  await findings.guard({ ...place, check: 'evidence_state' }, () => checkErasure(of));
  if (core !== undefined)
    await findings.guard({ ...place, check: 'evidence_contents' }, () =>
      checkEvidenceContents(of, core, reader, findings.turn),
    );
}

function readAsset(asset: EvidenceAssetRow, leaf: LeafRow, settings: SettingsSeries): EvidenceRegisteredCore {
  const core = evidenceRegisteredCoreOf(asset);
  assertSame('its hash', formatHex(leaf.hash), formatHex(hashCoreText('evidence_registered', canonicalize(core))));
  assertSame('its subject', asset.id, leaf.subject);
  assertSame('its leaf index', leaf.leaf_index, asset.leaf_index);
  assertSame('the settings version it was created under', settings.versionAt(leaf.leaf_index), core.settings_version);
  checkCanonical(asset);
  return core;
}

function checkSegments({ asset, rows }: AssetRows): void {
  const segments = rows.segments.toSorted((a, b) => a.segment_index - b.segment_index);
  assertSame('the number of segments', asset.segment_count, segments.length);
  segments.forEach((segment, index) => assertSame('the index of a segment', index, segment.segment_index));
  const identities = segments.map(({ id, hash }) => ({ segment_id: id, hash: `sha256:${formatHex(hash)}` }));
  const root = identities.length === 0 ? null : `sha256:${formatHex(rootOfSegments(identities))}`;
  assertSame('the root of its segments', String(asset.segments_root), String(root));
}

function checkAccess(access: EvidenceAccessRow, of: AssetRows): void {
  const leaf = checkRow(EVIDENCE_ACCESSES, access, of);
  assertSame('its leaf index', leaf.leaf_index, access.leaf_index);
  assertSame('its application', of.asset.application_key, access.application_key);
}

/** A row against the leaf of its id. */
function checkRow<Row extends { readonly id: string }>(table: Table<Row>, row: Row, { leafById }: AssetRows): LeafRow {
  const leaf = leafById.get(row.id);
  if (leaf === undefined || leaf.type !== table.leafType) throw new CheckFailure('it has no leaf that names its asset');
  assertSame('its hash', formatHex(leaf.hash), formatHex(hashCoreText(leaf.type, canonicalize(coreOf(table, row)))));
  assertSame('the seq in its leaf', 0, leaf.seq);
  checkCanonical(row);
  return leaf;
}

function checkState(of: AssetRows): void {
  const [state, ...more] = of.rows.states;
  if (more.length > 0) throw new CheckFailure('it has more than one state');
  const { rows } = of;
  const allowed =
    rows.redactions.length === 0 && rows.expiries.length === 0
      ? ['available']
      : [...(rows.redactions.length > 0 ? ['redacted'] : []), ...(rows.expiries.length > 0 ? ['expired'] : [])];
  if (state?.state === 'available') throw new CheckFailure('a state is stored without its row');
  const actual = state?.state ?? 'available';
  if (!allowed.includes(actual)) assertSame('its state', allowed[0] ?? '', actual);
}

/** When it is looked at next, and what became of its original; the MACs of both rows are checked with all others. */
function checkErasure(of: AssetRows): void {
  const { asset, rows } = of;
  const [due] = rows.dues;
  if (due === undefined) throw new CheckFailure('the row that says when it is looked at next is missing');
  if (due.due_at < asset.retention_until) throw new CheckFailure('it is due before its retention ends');
  const [purge] = rows.purges;
  const isErased = asset.size_bytes !== null && erasedOf(of).isAny;
  if (isErased !== (purge !== undefined))
    throw new CheckFailure(
      `the row about its erased original ${isErased ? 'is missing' : 'is stored and should not be'}`,
    );
  if (purge?.deleted_at === null || purge === undefined) return;
  const erasedAt = Math.min(
    ...[...rows.redactions, ...rows.expiries].map(({ id }) => of.leafById.get(id)?.at ?? Number.MAX_SAFE_INTEGER),
  );
  if (purge.deleted_at < erasedAt) throw new CheckFailure('its bytes are said to be gone before they were erased');
}

async function checkLinks(rows: LedgerRows, { links }: EvidenceRows, findings: Findings): Promise<void> {
  const stored = new Map(links.map((row) => [row.id, row]));
  for (const leaf of rows.leaves) {
    if (leaf.type !== 'evidence_linked') continue;
    const row = stored.get(leaf.id);
    const place = { check: 'evidence', object: `link ${leaf.id}`, leafIndex: leaf.leaf_index };
    await findings.guard(place, () => {
      if (row === undefined) throw new CheckFailure('its row is missing');
      const hash = hashCoreText('evidence_linked', canonicalize(coreOf(EVIDENCE_LINKS, row)));
      assertSame('its hash', formatHex(leaf.hash), formatHex(hash));
      assertSame('its subject', row.record_id, leaf.subject);
      checkCanonical(row);
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
