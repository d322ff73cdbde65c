import { verifySignature } from '@answer-evidence/client';
import type { TrustFile } from '@answer-evidence/contracts';
import { NoteError } from '@answer-evidence/note';
import { openPublishedLog, verifyLog, type WordLanguage } from '@answer-evidence/verify';
import type { Context } from '../context.ts';
import { asChecks, asFields } from '../output/blocks.ts';
import { openTlogSource } from '../tlog-source.ts';
import type { Verified } from './verified.ts';

/** A log that was given, verified by its own checkpoint. */
export type GivenLog = {
  readonly verified: Verified;
  /** Its entries; none where it is not verified, so that nothing is found in a log of somebody else. */
  readonly entries: readonly (string | undefined)[];
};

/** Reads and verifies a log. Rejects with `UsageError` or `UnreachableError` where it cannot be read. */
export async function readGivenLog(
  context: Context,
  source: string,
  trust: TrustFile | undefined,
  isSummary: boolean | undefined,
  language: WordLanguage | undefined,
): Promise<GivenLog> {
  const fail = (fault: string): GivenLog => ({ verified: { file: source, kind: 'fault', fault }, entries: [] });
  try {
    const log = await openPublishedLog(await openTlogSource(context.io, source, context.registry()));
    if (log === undefined) return fail('is not a log: it has no checkpoint');
    const verification = await verifyLog(log, trust, verifySignature);
    const { checkpoint, checks, pins } = verification;
    const isSound = checks.every(({ outcome }) => outcome !== 'FAIL');
    const blocks = () => [
      asFields([
        ['log', checkpoint.origin],
        ['tree size', checkpoint.tree_size],
        ...pins.map((pin) => ['pin used', pin] as const),
      ]),
      asChecks(checks, isSummary, language),
    ];
    return {
      verified: { file: source, kind: 'log', checks, json: verification, blocks },
      entries: isSound ? ((await log.view.entriesBelow?.(checkpoint.tree_size)) ?? []) : [],
    };
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    return fail(`is not a log: its checkpoint cannot be read: ${error.reason}`);
  }
}
