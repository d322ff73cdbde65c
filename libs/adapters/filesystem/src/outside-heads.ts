import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { uuid } from '@answer-evidence/contracts';
import { canonicalize, parseJson } from '@answer-evidence/encoding';
import type { OutsideHead, OutsideHeads } from '@answer-evidence/ports';
import { z } from 'zod';
import { createDirectory } from './create-directory.ts';
import { errorCode } from './error-code.ts';
import { writeFileAtomically } from './write-file-atomically.ts';

const storedHead = z.strictObject({
  workspace_id: uuid,
  origin: z.string(),
  tree_size: z.int().nonnegative(),
  root_hash: z.string().regex(/^[0-9a-f]{64}$/),
  system_identifier: z.string(),
});

/** A head that was kept cannot be read; the message says what to do. */
export class OutsideHeadError extends Error {
  override readonly name = 'OutsideHeadError';
}

/** Heads as one small JSON file a workspace, in a directory of their own that only the service can read. */
export async function openOutsideHeads(directory: string): Promise<OutsideHeads> {
  await createDirectory(directory, 0o700);

  // The id becomes part of a path, so it is held to its form here and not trusted to its type.
  function pathOf(workspaceId: string): string {
    if (!uuid.safeParse(workspaceId).success) throw new Error('a workspace id is not a UUID');
    return join(directory, `${workspaceId}.json`);
  }

  async function find(workspaceId: string): Promise<OutsideHead | undefined> {
    const path = pathOf(workspaceId);
    try {
      const head = storedHead.parse(parseJson(await readFile(path)));
      // A copy of another workspace's file would be a head that this log can never match.
      if (head.workspace_id !== workspaceId) throw new Error('the file is of another workspace');
      return {
        workspaceId,
        origin: head.origin,
        treeSize: head.tree_size,
        rootHash: head.root_hash,
        systemIdentifier: head.system_identifier,
      };
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw new OutsideHeadError(
        `${path} cannot be read or is damaged, so a rollback of the log could go unseen; restore the file from a backup`,
        { cause: error },
      );
    }
  }

  return {
    find,
    async keep(head) {
      const path = pathOf(head.workspaceId);
      const known = await find(head.workspaceId);
      if (known !== undefined && known.treeSize === head.treeSize && known.rootHash !== head.rootHash) {
        throw new Error(`the log ${head.origin} has two roots at size ${head.treeSize}; ${path} holds the first`);
      }
      if (known !== undefined && known.treeSize >= head.treeSize) return;
      // Parsed before it is written: what could not be read back would stop the next start.
      const stored = storedHead.parse({
        workspace_id: head.workspaceId,
        origin: head.origin,
        tree_size: head.treeSize,
        root_hash: head.rootHash,
        system_identifier: head.systemIdentifier,
      });
      await writeFileAtomically(path, `${canonicalize(stored)}\n`, 0o600);
    },
  };
}
