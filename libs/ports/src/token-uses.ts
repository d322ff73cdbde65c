/** That a token was used. Time in microseconds. */
export type TokenUse = { readonly workspaceId: string; readonly tokenId: string; readonly usedAt: number };

/** Keeps about when tokens were last used. */
export interface TokenUseStore {
  /** Keeps the later of what is there and each of these; a part of them may be lost when it rejects. */
  record(uses: readonly TokenUse[]): Promise<void>;
}
