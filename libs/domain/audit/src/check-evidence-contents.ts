import { hashItem, hashSegment, hashSegmentText } from '@answer-evidence/commitments';
import { type EvidenceRegisteredCore, recordCore } from '@answer-evidence/contracts';
import { formatHex, parseHex, parseJsonText } from '@answer-evidence/encoding';
import type { AssetDetails, SegmentContents } from '@answer-evidence/tables';
import { assertSame, CheckFailure } from '@answer-evidence/verify/verdict';
import { type AssetRows, erasedOf } from './asset-rows.ts';
import type { EvidenceContentReader } from './ledger-reader.ts';

const HASH_BYTES = 32;
const SALT_BYTES = 16;
const DETAILS = ['name', 'content_hash', 'external_uri', 'attributes'] as const;
const idsSchema = recordCore.shape.evidence_access_event_ids;

/**
 * What can be erased of an asset is there and is the same where no leaf erased it, and gone where one did. An asset may
 * have thousands of segments and accesses; each is a piece of work with a `turn`.
 */
export async function checkEvidenceContents(
  of: AssetRows,
  core: EvidenceRegisteredCore,
  reader: EvidenceContentReader,
  turn: () => Promise<void>,
): Promise<void> {
  const contentHash = await checkDetails(of, core, reader);
  await checkOriginal(of, erasedOf(of).isAny, contentHash, reader);
  await checkSegmentContents(of, contentHash, reader, turn);
  await checkPurposes(of, reader, turn);
}

/** Returns the hash of the original that the details tell, if any. */
async function checkDetails(
  of: AssetRows,
  { details: hashes }: EvidenceRegisteredCore,
  reader: EvidenceContentReader,
): Promise<string | null> {
  const erased = erasedOf(of);
  const kept = (name: (typeof DETAILS)[number]): boolean =>
    hashes[name] !== null && !erased.isWhole && !(name === 'content_hash' && erased.isAny);
  const row = of.rows.details.find(({ object_id: id }) => id === of.asset.id);
  if (row === undefined) {
    if (DETAILS.some(kept)) throw new CheckFailure('its details are missing');
    return null;
  }
  if (erased.isWhole || DETAILS.every((name) => hashes[name] === null))
    throw new CheckFailure('details are stored that should have been erased');
  const details = (await open(reader, row.object_id, row.wrapped_key, 'details', row.sealed)) as AssetDetails;
  for (const name of DETAILS) {
    const item = details[name];
    if (kept(name) !== (item !== null))
      throw new CheckFailure(`its ${name} ${kept(name) ? 'is missing' : 'is stored and should not be'}`);
    if (item !== null) assertSame(`the hash of its ${name}`, String(hashes[name]), hashItem(item.salt, item.item));
  }
  return details.content_hash?.item ?? null;
}

async function checkSegmentContents(
  of: AssetRows,
  contentHash: string | null,
  reader: EvidenceContentReader,
  turn: () => Promise<void>,
): Promise<void> {
  const { rows } = of;
  const erased = erasedOf(of);
  const contents = new Map(rows.segmentContents.map((row) => [row.segment_index, row]));
  for (const segment of rows.segments) {
    await turn();
    const row = contents.get(segment.segment_index);
    contents.delete(segment.segment_index);
    const kept = !erased.has(segment.segment_index);
    const name = `segment ${segment.segment_index + 1}`;
    if (kept !== (row !== undefined))
      throw new CheckFailure(`${name} ${kept ? 'is missing' : 'is stored and should not be'}`);
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
  if (contents.size > 0) throw new CheckFailure('contents are stored for segments that it does not have');
}

async function checkOriginal(
  { asset, rows }: AssetRows,
  isErased: boolean,
  contentHash: string | null,
  reader: EvidenceContentReader,
): Promise<void> {
  const [original] = rows.originals;
  const kept = asset.size_bytes !== null && !isErased;
  if (kept !== (original !== undefined))
    throw new CheckFailure(`its original ${kept ? 'is missing' : 'is stored and should not be'}`);
  if (original === undefined) return;
  const content = rows.contents.find(({ id }) => id === original.content_id);
  if (content === undefined) throw new CheckFailure('the content that is its original is missing');
  assertSame('the size of its original', asset.size_bytes ?? -1, content.size_bytes);
  assertSame('the hash of its original', String(contentHash), content.content_hash);
  if (!(await reader.opensContent(content))) throw new CheckFailure('the key of its original was altered');
}

/**
 * A purpose is erased by a redaction that found the asset by its access, or by an expiry after the access; otherwise it
 * stays.
 */
async function checkPurposes(
  { rows, asset, leafById }: AssetRows,
  reader: EvidenceContentReader,
  turn: () => Promise<void>,
): Promise<void> {
  const redacted = new Set(rows.redactions.flatMap((row) => idsSchema.parse(parseJsonText(row.access_ids_json))));
  const expiredAt = rows.expiries.reduce((last, { id }) => Math.max(last, leafById.get(id)?.leaf_index ?? -1), -1);
  const details = new Map(rows.details.map((row) => [row.object_id, row]));
  details.delete(asset.id);
  for (const access of rows.accesses) {
    await turn();
    const row = details.get(access.id);
    details.delete(access.id);
    const hash = access.purpose_hash;
    const isGone = redacted.has(access.id) || access.leaf_index < expiredAt;
    if (row === undefined) {
      if (hash !== null && !isGone) throw new CheckFailure(`the purpose of access ${access.id} is missing`);
      continue;
    }
    if (isGone) throw new CheckFailure(`the purpose of access ${access.id} is stored and should not be`);
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
  if (details.size > 0) throw new CheckFailure('details are stored for an asset and accesses that do not exist');
}

async function open(
  reader: EvidenceContentReader,
  objectId: string,
  wrappedKey: Uint8Array,
  field: string,
  sealed: Uint8Array,
) {
  try {
    return await reader.openEvidence(objectId, wrappedKey, field, sealed);
  } catch {
    throw new CheckFailure('sealed data was altered: its key does not decrypt it');
  }
}
