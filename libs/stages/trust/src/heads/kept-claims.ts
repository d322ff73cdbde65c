import { storedClaim } from '@answer-evidence/contracts';
import { sha256 } from '@answer-evidence/digest';
import { canonicalize, formatHex } from '@answer-evidence/encoding';
import type { HeadFiles, KeptClaim, OutsideClaim, PinnedHead } from '@answer-evidence/ports';
import { pad, pathOf, readStored } from './stored-files.ts';

/** The party of what a process of this service had seen itself, when it ended. */
export const THIS_SERVICE = 'a process of this service';

const NAME = /^claim-(\d{4})-/;

/** Keeps what an outside party holds against the log of this epoch: `claim-<epoch>-<hash>.json`. */
export async function writeClaim(files: HeadFiles, epoch: number, claim: OutsideClaim): Promise<void> {
  const { workspaceId, origin, party, treeSize, rootHash, seenAt, heldSize } = claim;
  const stored = storedClaim.parse({
    workspace_id: workspaceId,
    origin,
    party,
    tree_size: treeSize,
    ...(rootHash !== undefined && { root_hash: rootHash }),
    ...(seenAt !== undefined && { seen_at: seenAt }),
    held_size: heldSize,
  });
  const content = `${canonicalize(stored)}\n`;
  await files.write(`${workspaceId}/claim-${pad(epoch, 4)}-${formatHex(sha256(content))}.json`, content);
}

/**
 * What is held against the log of this epoch, by the names of all files of its workspace. What is held against an
 * earlier name does not count: it may have been written by a process that had not heard of the new one.
 */
export async function readClaims(
  files: HeadFiles,
  { workspaceId, origin }: Pick<PinnedHead, 'workspaceId' | 'origin'>,
  epoch: number,
  names: readonly string[],
): Promise<readonly KeptClaim[]> {
  const ofEpoch = names.filter((name) => Number(NAME.exec(name)?.[1]) === epoch);
  const claims = await Promise.all(
    ofEpoch.map(async (name) => {
      const path = `${workspaceId}/${name}`;
      const stored = await readStored(files, path, (value) => storedClaim.parse(value));
      const { party, tree_size: treeSize, root_hash: rootHash, seen_at: seenAt, held_size: heldSize } = stored;
      return { origin: stored.origin, party, treeSize, rootHash, seenAt, heldSize, place: pathOf(files, path) };
    }),
  );
  return claims.filter((claim) => claim.origin === origin).map(({ origin: _, ...claim }) => claim);
}

/** What an outside party holds against a log. One that has seen no more entries has seen others. */
export function describeClaim({
  party,
  treeSize,
  heldSize,
}: Pick<OutsideClaim, 'party' | 'treeSize' | 'heldSize'>): string {
  return treeSize > heldSize
    ? `${party} has seen ${treeSize} entries, but the database held ${heldSize}`
    : `${party} has seen another tree of ${treeSize} entries than the one that the database held`;
}
