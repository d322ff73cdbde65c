import { sha256 } from '@answer-evidence/digest';
import { formatHex } from '@answer-evidence/encoding';

/** SHA-256 of a vkey's text in groups of four hex digits, to be read out and compared over another channel. */
export function formatFingerprint(vkey: string): string {
  return formatHex(sha256(vkey)).replace(/(.{4})(?=.)/g, '$1 ');
}
