import type { AccessState, AssetState, ContentState, Write } from './append-command.ts';
import { parseJsonText } from '@answer-evidence/encoding';
import { evidenceAccessedCore } from '@answer-evidence/contracts';

/** What was read about evidence. */
export type KnownEvidence = {
  readonly contents: ReadonlyMap<string, ContentState>;
  readonly assets: ReadonlyMap<string, AssetState>;
  readonly accesses: ReadonlyMap<string, AccessState>;
};

type EvidenceWrite = Extract<
  Write,
  {
    readonly kind:
      | 'evidence_content'
      | 'evidence_asset'
      | 'evidence_original'
      | 'evidence_access'
      | 'evidence_redaction'
      | 'evidence_expiry'
      | 'erase_evidence';
  }
>;

const segmentsOf = evidenceAccessedCore.shape.segments;

/** The indexes in a `segments_json` column; null for all. */
export function parseSegmentIndexes(json: string): readonly number[] | null {
  return segmentsOf.parse(parseJsonText(json));
}

/** Whether an erasure takes something that an access had; null stands for all. */
export function isTouched(accessed: readonly number[] | null, erased: readonly number[] | null): boolean {
  return accessed === null || erased === null || accessed.some((index) => erased.includes(index));
}

/** Evidence as a batch sees it: what was read, overlaid by what the commands before have decided to write. */
export class EvidenceView {
  readonly #contents: Map<string, ContentState>;
  readonly #assets: Map<string, AssetState>;
  readonly #accesses: Map<string, AccessState>;

  constructor({ contents, assets, accesses }: KnownEvidence) {
    this.#contents = new Map(contents);
    this.#assets = new Map(assets);
    this.#accesses = new Map(accesses);
  }

  findContentByHash(hash: string): ContentState | undefined {
    return [...this.#contents.values()].find((content) => content.hash === hash);
  }

  findContent(contentId: string): ContentState | undefined {
    return this.#contents.get(contentId);
  }

  findAsset(assetId: string): AssetState | undefined {
    return this.#assets.get(assetId);
  }

  findAccess(accessId: string): AccessState | undefined {
    return this.#accesses.get(accessId);
  }

  apply(write: EvidenceWrite): void {
    switch (write.kind) {
      case 'evidence_content':
        this.#contents.set(write.row.id, { id: write.row.id, hash: write.row.content_hash, references: 0 });
        break;
      case 'evidence_asset':
        this.#assets.set(write.row.id, {
          applicationKey: write.row.application_key,
          contentId: null,
          erasures: 0,
        });
        break;
      case 'evidence_original':
        this.#changeContent(write.row.content_id, 1);
        this.#changeAsset(write.row.asset_id, (asset) => ({ ...asset, contentId: write.row.content_id }));
        break;
      case 'evidence_access':
        this.#accesses.set(write.row.id, {
          assetId: write.row.asset_id,
          applicationKey: write.row.application_key,
          segments: parseSegmentIndexes(write.row.segments_json),
          erased: false,
        });
        break;
      case 'evidence_redaction':
        this.#noteErasure(write.row.asset_id, parseSegmentIndexes(write.row.segments_json));
        break;
      case 'evidence_expiry':
        this.#noteErasure(write.row.asset_id, null);
        break;
      case 'erase_evidence': {
        const contentId = this.#assets.get(write.assetId)?.contentId ?? null;
        if (contentId !== null) this.#changeContent(contentId, -1);
        if (write.contentId !== null) this.#contents.delete(write.contentId);
        this.#changeAsset(write.assetId, (asset) => ({ ...asset, contentId: null }));
        break;
      }
    }
  }

  #changeContent(id: string, by: number): void {
    const content = this.#contents.get(id);
    if (content !== undefined) this.#contents.set(id, { ...content, references: content.references + by });
  }

  #changeAsset(id: string, change: (asset: AssetState) => AssetState): void {
    const asset = this.#assets.get(id);
    if (asset !== undefined) this.#assets.set(id, change(asset));
  }

  #noteErasure(assetId: string, segments: readonly number[] | null): void {
    this.#changeAsset(assetId, (asset) => ({ ...asset, erasures: asset.erasures + 1 }));
    for (const [id, access] of this.#accesses)
      if (access.assetId === assetId && isTouched(access.segments, segments))
        this.#accesses.set(id, { ...access, erased: true });
  }
}
