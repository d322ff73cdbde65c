import type { JsonValue } from '@answer-evidence/contracts';
import { parseJson, readOr, utf8 } from '@answer-evidence/encoding';
import { isReceiptOfBundle, type ShownFile } from '@answer-evidence/verify';
import type { EvidenceFiles } from './sort-evidence.ts';

/** Every file that shows a tree of a log, those in packs among them. */
export function listShownFiles(files: EvidenceFiles): readonly ShownFile[] {
  const { bundles, packs, runs, receipts, responses, checkpoints } = files;
  const inPacks = packs.flatMap(({ pack }) => pack.bundles.flatMap((one) => ('text' in one ? [utf8(one.text)] : [])));
  // The one receipt beside one bundle is that of its record, which has a check of its own.
  const counts = { bundles: bundles.length, packs: packs.length, receipts: receipts.length };
  const asJson = [...bundles.map(({ bytes }) => bytes), ...runs.map(({ bytes }) => bytes), ...inPacks];
  return [
    ...asJson.flatMap((bytes) => readJson(bytes) ?? []),
    ...(isReceiptOfBundle(counts) ? [] : receipts).map(({ receipt }) => ({ receipt })),
    ...responses.map(({ response: { receipt } }) => ({ receipt })),
    ...checkpoints.map(({ checkpoint }) => ({ checkpoint })),
  ];
}

/** What is not JSON shows nothing. */
function readJson(bytes: Uint8Array): { readonly json: JsonValue } | undefined {
  return readOr(() => ({ json: parseJson(bytes) }), undefined);
}
