import type { ContentSniffer, HtmlReader, ObjectStore, StageDeps } from '@answer-evidence/ports';

/** What the stage needs from around it. */
export type EvidenceDeps = StageDeps & {
  readonly objects: ObjectStore;
  readonly sniffer: ContentSniffer;
  readonly htmlReader: HtmlReader;
  /** `splitText` of a large text in another thread, for a workspace; left out: in this one. */
  readonly splitElsewhere?: (workspaceId: string, text: string, contentType: string) => Promise<readonly string[]>;
  readonly backupDays: number;
};
