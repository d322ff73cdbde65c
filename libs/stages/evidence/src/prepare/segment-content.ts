import { hashSegment, rootOfSegments, SEGMENT_SALT_BYTES } from '@answer-evidence/commitments';
import { sha256 } from '@answer-evidence/digest';
import { formatHex, parseHex } from '@answer-evidence/encoding';
import { splitSegments } from '@answer-evidence/evidence';
import { type HtmlReader, newId, type Workspace } from '@answer-evidence/ports';
import type { EvidenceSegmentContentRow, EvidenceSegmentRow, SegmentContents } from '@answer-evidence/tables';
import type { EvidenceDeps } from '../deps.ts';

const HASH_BYTES = 32;

/** Segments with their contents sealed, and the root of the tree over their hashes. */
export type SealedSegments = {
  readonly rows: readonly EvidenceSegmentRow[];
  readonly contents: readonly EvidenceSegmentContentRow[];
  /** `sha256:…`; null without segments. */
  readonly root: string | null;
};

/** The passages of a text, by what it is; empty where it is not to be split. */
export function splitText(text: string, contentType: string, htmlReader: HtmlReader): readonly string[] {
  if (contentType === 'text/html') {
    const read = htmlReader.readText(text);
    return read === null ? [] : splitSegments(read, 'plain');
  }
  if (!contentType.startsWith('text/')) return [];
  return splitSegments(text, contentType === 'text/markdown' ? 'markdown' : 'plain');
}

/** Seals texts as the segments of an asset, each under a key and a salt of its own. */
export async function sealSegments(
  deps: Pick<EvidenceDeps, 'clock' | 'random' | 'turn'>,
  workspace: Workspace,
  assetId: string,
  texts: readonly string[],
): Promise<SealedSegments> {
  return seal(
    deps,
    workspace,
    assetId,
    texts.map((text) => ({ text, digest: sha256(text) })),
  );
}

/** The one segment of an asset that is not split: all of its original. */
export async function sealWholeSegment(
  deps: Pick<EvidenceDeps, 'clock' | 'random' | 'turn'>,
  workspace: Workspace,
  assetId: string,
  digest: Uint8Array,
): Promise<SealedSegments> {
  return seal(deps, workspace, assetId, [{ text: null, digest }]);
}

async function seal(
  deps: Pick<EvidenceDeps, 'clock' | 'random' | 'turn'>,
  workspace: Workspace,
  assetId: string,
  pieces: readonly { readonly text: string | null; readonly digest: Uint8Array }[],
): Promise<SealedSegments> {
  if (pieces.length === 0) return { rows: [], contents: [], root: null };
  const made = [];
  for (const [index, { text, digest }] of pieces.entries()) {
    if (index > 0) await deps.turn();
    const id = newId(deps);
    const salt = deps.random.bytes(SEGMENT_SALT_BYTES);
    const hash = hashSegment(salt, digest);
    const key = workspace.vault.createObjectKey(id);
    const contents: SegmentContents = { salt: formatHex(salt), text };
    made.push({
      identity: { segment_id: id, hash },
      row: { asset_id: assetId, segment_index: index, id, hash: parseHex(hash.slice('sha256:'.length), HASH_BYTES) },
      contents: {
        asset_id: assetId,
        segment_index: index,
        wrapped_key: key.wrapped,
        sealed: key.seal('segment', JSON.stringify(contents)),
      },
    });
  }
  const root = rootOfSegments(made.map(({ identity }) => identity));
  return {
    rows: made.map(({ row }) => row),
    contents: made.map(({ contents }) => contents),
    root: `sha256:${formatHex(root)}`,
  };
}
