import { evidenceAccessedCore } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import type { AccessState, AssetState, ContentState, EvidenceErasure, Insert } from './append-command.ts';

/** What was read about evidence. */
type KnownEvidence = {
  readonly contents: ReadonlyMap<string, ContentState>;
  readonly assets: ReadonlyMap<string, AssetState>;
  readonly accesses: ReadonlyMap<string, AccessState>;
};

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
export class BatchEvidence {
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

  insert(write: Insert): void {
    switch (write.table) {
      case 'evidence_contents':
        this.#contents.set(write.row.id, { id: write.row.id, hash: write.row.content_hash, references: 0 });
        break;
      case 'evidence_assets':
        this.#assets.set(write.row.id, {
          applicationKey: write.row.application_key,
          contentId: null,
          erasures: 0,
        });
        break;
      case 'evidence_originals': {
        const { asset_id: assetId, content_id: contentId } = write.row;
        this.#changeContent(contentId, 1);
        this.#changeAsset(assetId, (asset) => ({ ...asset, contentId }));
        break;
      }
      case 'evidence_accesses':
        this.#accesses.set(write.row.id, {
          assetId: write.row.asset_id,
          applicationKey: write.row.application_key,
          segments: parseSegmentIndexes(write.row.segments_json),
          erased: false,
        });
        break;
      case 'evidence_redactions':
        this.#noteErasure(write.row.asset_id, parseSegmentIndexes(write.row.segments_json));
        break;
      case 'evidence_expiries':
        this.#noteErasure(write.row.asset_id, null);
        break;
      // No command reads the other tables.
      default:
    }
  }

  erase(erasure: EvidenceErasure): void {
    const contentId = this.#assets.get(erasure.assetId)?.contentId ?? null;
    if (contentId !== null) this.#changeContent(contentId, -1);
    if (erasure.contentId !== null) this.#contents.delete(erasure.contentId);
    this.#changeAsset(erasure.assetId, (asset) => ({ ...asset, contentId: null }));
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
