import { storedRedaction } from '@answer-evidence/contracts';
import { sha256 } from '@answer-evidence/digest';
import { canonicalize, formatHex, parseJsonText } from '@answer-evidence/encoding';
import type { HeadFiles, OutsideRedaction } from '@answer-evidence/ports';
import { pad, unreadable } from './stored-files.ts';

/** Redactions as files of their workspace, a name per content: `redactions/<first leaf>-<hash>.jsonl`. */
export async function writeRedactions(
  files: HeadFiles,
  workspaceId: string,
  fromSize: number,
  redactions: readonly OutsideRedaction[],
): Promise<void> {
  const content = redactions
    .map(({ recordId, eventId, payload }) =>
      canonicalize(storedRedaction.parse({ record_id: recordId, event_id: eventId, payload })),
    )
    .map((line) => `${line}\n`)
    .join('');
  await files.write(`${workspaceId}/redactions/${pad(fromSize)}-${formatHex(sha256(content))}.jsonl`, content);
}

/** The names of those files, in the order of their first leaves. */
export function listRedactions(files: HeadFiles, workspaceId: string): Promise<readonly string[]> {
  return files.list(`${workspaceId}/redactions`);
}

/** What one of them holds. Throws `HeadError` when it is not the one that its name says. */
export async function readRedactions(
  files: HeadFiles,
  workspaceId: string,
  name: string,
): Promise<readonly OutsideRedaction[]> {
  const path = `${workspaceId}/redactions/${name}`;
  const content = (await files.read(path)) ?? new Uint8Array();
  if (!name.endsWith(`-${formatHex(sha256(content))}.jsonl`))
    throw unreadable(files, path, new Error('the file is not the one that its name says'));
  return parseRedactions(new TextDecoder().decode(content));
}

/** One redaction per line. */
export function parseRedactions(text: string): readonly OutsideRedaction[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { record_id, event_id, payload } = storedRedaction.parse(parseJsonText(line));
      return { recordId: record_id, eventId: event_id, payload };
    });
}
