import type { EntryType, JsonValue } from '@answer-evidence/contracts';
import { sha256 } from '@answer-evidence/digest';
import { canonicalize, formatHex } from '@answer-evidence/encoding';

/** SHA-256 of `answer-evidence/<type>/v1`, a newline and the JCS text of the core, 32 bytes. */
export function hashCoreText(type: EntryType, coreText: string): Uint8Array {
  return sha256(`answer-evidence/${type}/v1\n${coreText}`);
}

/** The `hash` of the entry of a core: `sha256:` and hex. */
export function hashCore(type: EntryType, core: JsonValue): string {
  return `sha256:${formatHex(hashCoreText(type, canonicalize(core)))}`;
}
