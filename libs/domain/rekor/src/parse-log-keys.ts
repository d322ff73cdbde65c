import { parseLogKey, type RekorLog } from './log-key.ts';
import { parseTrustedRoot } from './parse-trusted-root.ts';
import { RekorError } from './rekor-error.ts';

const TEXT_MAX = 65_536;
const LOGS_MAX = 16;

/**
 * Reads pinned logs: vkeys of C2SP signed-note, one per line, or the text of a trusted root of Sigstore. A key stays
 * pinned after its log has retired: it verifies what the log holds. Throws `RekorError`.
 */
export function parseLogKeys(text: string): readonly RekorLog[] {
  if (text.length > TEXT_MAX) throw new RekorError('the keys of logs are too long');
  const logs = /^[ \t\r\n]*\{/.test(text) ? parseTrustedRoot(text) : text.split('\n').flatMap(parseLine);
  if (logs.length === 0) throw new RekorError('there is no Ed25519 key of a log of Rekor v2');
  if (logs.length > LOGS_MAX) throw new RekorError(`there are more than ${LOGS_MAX} keys of logs`);
  return logs;
}

function parseLine(line: string): readonly RekorLog[] {
  // A space within a key stays one, and is refused with it.
  const text = line
    .split(/[ \t\r]/)
    .filter((word) => word !== '')
    .join(' ');
  return text === '' ? [] : [{ vkey: parseLogKey(text), url: null, retiredAt: null }];
}
