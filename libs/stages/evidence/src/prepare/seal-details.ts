import { hashItem, ITEM_SALT_BYTES } from '@answer-evidence/commitments';
import type { EvidenceDetailHashes, JsonObject, JsonValue } from '@answer-evidence/contracts';
import { formatHex } from '@answer-evidence/encoding';
import type { RandomSource, Workspace } from '@answer-evidence/ports';
import type { AccessDetails, AssetDetails, EvidenceDetailRow, SaltedItem } from '@answer-evidence/tables';

/** What an asset is called and made of, as far as there is something. */
type PlainDetails = {
  readonly name: string | null;
  readonly contentHash: string | null;
  readonly externalUri: string | null;
  readonly attributes: JsonObject | null;
};

/** Sealed details of an asset with the hashes that its core has of them; no row where there are none. */
export function sealAssetDetails(
  random: RandomSource,
  workspace: Workspace,
  assetId: string,
  plain: PlainDetails,
): { readonly hashes: EvidenceDetailHashes; readonly row: EvidenceDetailRow | null } {
  const details: AssetDetails = {
    name: salted(random, plain.name),
    content_hash: salted(random, plain.contentHash),
    external_uri: salted(random, plain.externalUri),
    attributes: salted(random, plain.attributes),
  };
  const isEmpty = Object.values(details).every((detail) => detail === null);
  return {
    hashes: {
      name: hashOf(details.name),
      content_hash: hashOf(details.content_hash),
      external_uri: hashOf(details.external_uri),
      attributes: hashOf(details.attributes),
    },
    row: isEmpty ? null : sealDetails(workspace, assetId, assetId, details),
  };
}

/** The sealed purpose of an access with the hash that its core has of it; nulls without one. */
export function sealPurpose(
  random: RandomSource,
  workspace: Workspace,
  assetId: string,
  accessId: string,
  purpose: string | null,
): { readonly hash: string | null; readonly row: EvidenceDetailRow | null } {
  const item = salted(random, purpose);
  if (item === null) return { hash: null, row: null };
  return { hash: hashOf(item), row: sealDetails(workspace, assetId, accessId, { purpose: item }) };
}

/** Seals the details of an asset or an access under a fresh key. */
function sealDetails(
  workspace: Workspace,
  assetId: string,
  objectId: string,
  details: AssetDetails | AccessDetails,
): EvidenceDetailRow {
  const key = workspace.vault.createObjectKey(objectId);
  const sealed = key.seal('details', JSON.stringify(details));
  return { object_id: objectId, asset_id: assetId, wrapped_key: key.wrapped, sealed };
}

function salted<T extends JsonValue>(random: RandomSource, item: T | null): SaltedItem<T> | null {
  return item === null ? null : { salt: formatHex(random.bytes(ITEM_SALT_BYTES)), item };
}

function hashOf(detail: SaltedItem<JsonValue> | null): string | null {
  return detail === null ? null : hashItem(detail.salt, detail.item);
}
