import { canonicalize } from '@answer-evidence/encoding';
import { HeadError, type HeadFiles, type PinnedHead } from '@answer-evidence/ports';
import { copyNameOf, formatHead, type HeadName, parseCopyName } from './head-names.ts';
import { pathOf } from './stored-files.ts';

/**
 * Throws `HeadError` when there is a copy of a head that is newer than the newest one: that one is gone, and an older
 * one would take its place. `names` are those of all files of the workspace.
 */
export function assertNotGone(
  files: HeadFiles,
  workspaceId: string,
  newest: HeadName | undefined,
  names: readonly string[],
): void {
  for (const file of names) {
    const copied = parseCopyName(workspaceId, file);
    if (copied === undefined || !isNewer(copied, newest)) continue;
    const words = 'was kept and is gone, so a rollback of the log could go unnoticed; restore the file from';
    const copy = pathOf(files, copyNameOf(copied.name));
    throw new HeadError('kept_gone', `${pathOf(files, copied.name)} ${words} a backup, or from its copy ${copy}`);
  }
}

function isNewer(head: HeadName, newest: HeadName | undefined): boolean {
  if (newest === undefined || head.epoch !== newest.epoch) return newest === undefined || head.epoch > newest.epoch;
  return head.treeSize > newest.treeSize;
}

/** Copies a head beside itself, and then removes the copies of older ones. */
export async function writeCopy(
  files: HeadFiles,
  workspaceId: string,
  head: PinnedHead,
  name: string,
  names: readonly string[],
): Promise<void> {
  const copy = copyNameOf(name);
  const before = names
    .filter((one) => parseCopyName(workspaceId, one) !== undefined)
    .map((one) => `${workspaceId}/${one}`);
  if (!before.includes(copy)) await files.write(copy, `${canonicalize(formatHead(head))}\n`);
  for (const one of before) if (one !== copy) await files.delete(one);
}
