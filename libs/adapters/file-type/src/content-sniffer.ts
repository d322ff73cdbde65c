import { fileTypeFromBuffer } from 'file-type';
import type { ContentSniffer } from '@answer-evidence/ports';

/** Detects types by the library's signatures. When a truncated or hostile file makes it throw, the type is unknown. */
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
