import { type StoredHead, storedHeadFile } from '@answer-evidence/contracts';
import type { HeadFiles, OutsideRedaction } from '@answer-evidence/ports';
import { parseRedactions } from './kept-redactions.ts';
import { readStored } from './stored-files.ts';

/** The first form of what is kept of a workspace: a file that was replaced each time, and one of its redactions. */
interface FirstForm {
  /** The file of the heads. */
  nameOf(workspaceId: string): string;
  /** Its heads by their epochs: the last of each name that ended, then the newest. */
  heads(workspaceId: string): Promise<readonly StoredHead[]>;
  /** Undefined when none were ever kept in this form. */
  redactions(workspaceId: string): Promise<readonly OutsideRedaction[] | undefined>;
  /** Only when everything of it is kept in the present form. */
  remove(workspaceId: string): Promise<void>;
}

/** Reads the first form, which nobody writes any more: where it was missing once, it is not looked for again. */
export function createFirstForm(files: HeadFiles): FirstForm {
  const missing = new Set<string>();
  /** Only a place that is there can say that a file is missing. Listing it takes as long as there are workspaces. */
  let seen: Promise<unknown> | undefined;
  function assertThere(): Promise<unknown> {
    seen ??= files.list('').catch((error: unknown) => {
      seen = undefined;
      throw error;
    });
    return seen;
  }
  const nameOf = (workspaceId: string): string => `${workspaceId}.json`;
  const redactionsOf = (workspaceId: string): string => `${workspaceId}.redactions`;
  return {
    nameOf,
    async heads(workspaceId) {
      const name = nameOf(workspaceId);
      if (missing.has(workspaceId)) return [];
      await assertThere();
      if ((await files.read(name)) === undefined) {
        missing.add(workspaceId);
        return [];
      }
      const { ended = [], ...newest } = await readStored(files, name, (value) => {
        const file = storedHeadFile.parse(value);
        if (file.workspace_id !== workspaceId) throw new Error('the file belongs to another workspace');
        return file;
      });
      return [...ended.map((head) => ({ ...newest, ...head })), newest];
    },
    async redactions(workspaceId) {
      const content = await files.read(redactionsOf(workspaceId));
      if (content === undefined) return undefined;
      const text = new TextDecoder().decode(content);
      // A crash may have left a beginning of a line: at the end, or closed by "#" before the next.
      return parseRedactions(text.slice(0, text.lastIndexOf('\n') + 1).replaceAll(/^.*#\n/gm, ''));
    },
    async remove(workspaceId) {
      await files.delete(redactionsOf(workspaceId));
      await files.delete(nameOf(workspaceId));
    },
  };
}
