import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { knownPayload, uuid } from '@answer-evidence/contracts';
import { canonicalize, parseJson, parseJsonText } from '@answer-evidence/encoding';
import { HeadError, type HeadStore, type OutsideHead, type OutsideRedaction } from '@answer-evidence/ports';
import { createDirectory } from './create-directory.ts';
import { createDurableLines, type DurableLines } from './durable-lines.ts';
import { errorCode } from './error-code.ts';
import { writeFileAtomically } from './write-file-atomically.ts';

const storedHead = z.strictObject({
  workspace_id: uuid,
  origin: z.string(),
  tree_size: z.int().nonnegative(),
  root_hash: z.string().regex(/^[0-9a-f]{64}$/),
  system_identifier: z.string(),
  /** Heads of the names that the log had before. */
  ended: z.array(z.strictObject({ origin: z.string(), tree_size: z.int(), root_hash: z.string() })).optional(),
});

type StoredHead = z.infer<typeof storedHead>;

const storedRedaction = z.strictObject({ record_id: uuid, event_id: uuid, payload: knownPayload });

/** Heads as one small JSON file a workspace, in a directory of their own that only the service can read. */
export async function openHeadStore(directory: string): Promise<HeadStore> {
  await createDirectory(directory, 0o700);

  // The id becomes part of a path, so it is held to its form here and not trusted to its type.
  function pathOf(workspaceId: string): string {
    if (!uuid.safeParse(workspaceId).success) throw new Error('a workspace id is not a UUID');
    return join(directory, `${workspaceId}.json`);
  }

  async function read(workspaceId: string): Promise<StoredHead | undefined> {
    const path = pathOf(workspaceId);
    try {
      const head = storedHead.parse(parseJson(await readFile(path)));
      // A copy of another workspace's file would be a head that this log can never match.
      if (head.workspace_id !== workspaceId) throw new Error('the file belongs to another workspace');
      return head;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw new HeadError(
        'kept_unreadable',
        `${path} cannot be read or is damaged, so a rollback of the log could go unnoticed; restore the file from a backup`,
        { cause: error },
      );
    }
  }

  async function write(head: OutsideHead, ended: StoredHead['ended']): Promise<void> {
    // Parsed before it is written: what could not be read back would stop the next start.
    const stored = storedHead.parse({
      workspace_id: head.workspaceId,
      origin: head.origin,
      tree_size: head.treeSize,
      root_hash: head.rootHash,
      system_identifier: head.systemIdentifier,
      ...(ended === undefined ? {} : { ended }),
    });
    await writeFileAtomically(pathOf(head.workspaceId), `${canonicalize(stored)}\n`, 0o600);
  }

  function redactionsOf(workspaceId: string): DurableLines {
    return createDurableLines(pathOf(workspaceId).replace(/json$/, 'redactions'));
  }

  return {
    async find(workspaceId) {
      const head = await read(workspaceId);
      return (
        head && {
          workspaceId,
          origin: head.origin,
          treeSize: head.tree_size,
          rootHash: head.root_hash,
          systemIdentifier: head.system_identifier,
        }
      );
    },
    async keep(head) {
      const path = pathOf(head.workspaceId);
      const known = await read(head.workspaceId);
      if (known !== undefined && known.origin !== head.origin)
        throw new Error(`${path} holds the head of ${known.origin}, and not of ${head.origin}`);
      if (known !== undefined && known.tree_size === head.treeSize && known.root_hash !== head.rootHash) {
        throw new Error(`the log ${head.origin} has two roots at size ${head.treeSize}; ${path} holds the first`);
      }
      if (known !== undefined && known.tree_size >= head.treeSize) return;
      await write(head, known?.ended);
    },
    async moveOn(head, ended) {
      const known = await read(head.workspaceId);
      if (known?.origin !== ended || ended === head.origin)
        throw new Error(`the kept head of ${head.workspaceId} is not of the log that is said to have ended`);
      const { origin, tree_size, root_hash } = known;
      await write(head, [...(known.ended ?? []), { origin, tree_size, root_hash }]);
    },
    findEnded: async (workspaceId) => ((await read(workspaceId))?.ended ?? []).map(({ origin }) => origin),
    async keepRedactions(workspaceId, redactions) {
      const lines = redactions.map(({ recordId, eventId, payload }) =>
        canonicalize({ record_id: recordId, event_id: eventId, payload }),
      );
      await redactionsOf(workspaceId).append(lines);
    },
    hasRedactions: (workspaceId) => redactionsOf(workspaceId).exists(),
    async findRedactions(workspaceId) {
      const lines = await redactionsOf(workspaceId).read();
      const found = new Map<string, OutsideRedaction>();
      for (const line of lines ?? []) {
        const { record_id: recordId, event_id: eventId, payload } = storedRedaction.parse(parseJsonText(line));
        if (!found.has(eventId)) found.set(eventId, { recordId, eventId, payload });
      }
      return lines === undefined ? undefined : [...found.values()];
    },
  };
}
