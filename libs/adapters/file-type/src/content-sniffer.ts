import type { ContentSniffer } from '@answer-evidence/ports';
import { fileTypeFromBuffer } from 'file-type';

/** Sniffs by the signatures that the library knows. What a cut archive or a hostile file makes it throw means that nothing is known. */
export function createContentSniffer(): ContentSniffer {
  return {
    async sniff(head) {
      try {
        const found = await fileTypeFromBuffer(head);
        return found?.mime.split(';')[0]?.trim();
      } catch {
        return undefined;
      }
    },
  };
}
