import type { AnchorType, LedgerCheckProgress, LedgerCheckReport } from '@answer-evidence/contracts';
import type { VerifySignature } from '@answer-evidence/note';
import type { Anchor, HeadStore, OutboundHttp, StageDeps, Workspace } from '@answer-evidence/ports';
import type { VerifyTimestamp } from '@answer-evidence/verify';
import type { HeadKeeper } from './heads/head-keeper.ts';

/** How reading what one anchor has published of a log went; `problem` is undefined when all of it was read. */
export type AnchorHearing = {
  readonly workspace: Workspace;
  readonly anchorId: string;
  readonly problem: string | undefined;
};

/** What the stage needs from around it. */
export type TrustDeps = StageDeps & {
  /** The workspace that a `Host` header selects; left out where tokens alone select it. */
  readonly workspaceOfHost?: (host: string | undefined) => Promise<{ readonly slug: string } | undefined>;
  /** Where links go that are made for people. */
  readonly linkUrl: (slug: string) => string;
  readonly headStore: Pick<HeadStore, 'find'>;
  readonly heads: Pick<HeadKeeper, 'keep' | 'dispute' | 'end' | 'isStopped'>;
  readonly outbound: OutboundHttp;
  /** One for each type of anchor. */
  readonly anchors: Readonly<Record<AnchorType, Anchor>>;
  /** Is told of every place of anchors that was read, or could not be. */
  readonly onAnchorHeard: (hearing: AnchorHearing) => void;
  /** Is told at the start of an anchor whose place must be changed before anything can be anchored there. */
  readonly onAnchorUnusable: (anchor: AnchorHearing & { readonly problem: string }) => void;
  readonly verifySignature: VerifySignature;
  readonly verifyTimestamp: VerifyTimestamp;
  /** The token of a TimeStampResp, a ContentInfo, which later time-stamps cover. */
  readonly extractToken: (responseDer: Uint8Array) => Uint8Array;
  /**
   * Asks for the revocation lists of the issuers of these tokens, TimeStampResps, and for responses of OCSP, which are
   * lists as well here. Never rejects for what others do: faults say which lists are missing and why.
   */
  readonly readRevocations: (
    responses: readonly Uint8Array[],
    signal: AbortSignal,
  ) => Promise<{ readonly lists: readonly Uint8Array[]; readonly faults: readonly string[] }>;
  /** How long before the end of a certificate its tokens are renewed (µs). */
  readonly renewalLeadMicros: number;
  /** Reads pinned certificates in PEM; throws with the reason. */
  readonly parseCertificates: (pem: string) => unknown;
  /** The page of an evidence pack, without its parts. */
  readonly packPage: () => Promise<string>;
  /** The page that shows a record to anyone who has a link to it. */
  readonly proofPage: () => Promise<string>;
  /**
   * Re-derives everything that is stored of a workspace, in one snapshot, and names every fault. `isSince`: it begins
   * where the last check without a fault ended. `onProgress` is told how far it is, and must not throw.
   */
  readonly checkLedger: (
    workspace: Workspace,
    how: { readonly isSince: boolean; readonly onProgress?: (progress: LedgerCheckProgress) => void },
  ) => Promise<LedgerCheckReport>;
};
