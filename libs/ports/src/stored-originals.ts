/** An original of evidence as the rows have it, whose bytes are an object. */
export type StoredOriginal = {
  readonly contentId: string;
  readonly sizeBytes: number;
  /** `sha256:` and the digest of the bytes. */
  readonly contentHash: string;
  readonly wrappedKey: Uint8Array;
  /** The oldest asset that has it, and where its registration is in the log. */
  readonly assetId: string;
  readonly leafIndex: number;
};

/** The originals of one workspace that are not erased. Throws `ledger_unavailable`. */
export interface OriginalsReader {
  count(workspaceId: string): Promise<number>;
  /** Some of them, in order of their content ids, after one of these; none when there are no more. */
  page(workspaceId: string, after: string | null): Promise<readonly StoredOriginal[]>;
  /** Whether it is one still: an erasure takes the row before the bytes. */
  isThere(workspaceId: string, contentId: string): Promise<boolean>;
}
