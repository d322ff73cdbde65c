/** A signed-in browser. Times in microseconds. */
export type ConsoleSession = {
  /** SHA-256 of the secret in the browser's cookie; the secret itself is stored nowhere. */
  readonly key: Uint8Array;
  readonly memberId: string;
  /** The token that the session acts by. */
  readonly tokenId: string;
  /** With the secret of the cookie, it gives the secret of that token; neither of the two does alone. */
  readonly salt: Uint8Array;
  /**
   * What the member could do (their role, or their access as JSON), and the entry of their password, at signing in:
   * another one ends the session.
   */
  readonly role: string;
  readonly credentialEntryId: string;
  readonly expiresAt: number;
  readonly usedAt: number;
};

/** Sessions of browsers, of all processes together. They survive restarts. One workspace sees none of another. */
export interface ConsoleSessionStore {
  /** Durable when it resolves. Removes what has expired, or was last used before `usedBefore`, at the same time. */
  add(workspaceId: string, session: ConsoleSession, nowMicros: number, usedBefore: number): Promise<void>;
  find(workspaceId: string, key: Uint8Array): Promise<ConsoleSession | undefined>;
  ofMember(workspaceId: string, memberId: string): Promise<readonly ConsoleSession[]>;
  /** Keeps the later of what is there and this. */
  noteUse(workspaceId: string, key: Uint8Array, usedAt: number): Promise<void>;
  /** Removing what is not there changes nothing. */
  remove(workspaceId: string, keys: readonly Uint8Array[]): Promise<void>;
}
