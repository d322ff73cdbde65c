import type { StreamEvent } from '@answer-evidence/contracts';
import { concatBytes, formatTimestamp, utf8 } from '@answer-evidence/encoding';

/** Facility 13 (log audit), with the severities of an error and of what is only told (RFC 5424, section 6.2.1). */
const [AUDIT, ERROR, INFORMATIONAL] = [13 * 8, 3, 6];
const HOST_LENGTH_MAX = 255;

/** An event as its line of JSON, beside what a frame around it says. */
export type WrittenEvent = { readonly event: StreamEvent; readonly json: string };

/** Messages of RFC 5424, each in a frame that begins with its length in bytes (RFC 5425, section 4.3). */
export function formatSyslog(events: readonly WrittenEvent[], hostName: string, nowMicros: number): Uint8Array {
  const host = hostName.replace(/[^\x21-\x7e]/g, '').slice(0, HOST_LENGTH_MAX) || '-';
  return concatBytes(
    ...events.map(({ event, json }) => {
      const priority = AUDIT + (event.damage === null ? INFORMATIONAL : ERROR);
      const time = event.time ?? formatTimestamp(nowMicros);
      // Only ASCII, escaped as JSON has it: a message with other characters would have to begin with a byte order mark.
      const message = utf8(
        `<${priority}>1 ${time} ${host} answer-evidence - ${event.type ?? 'damaged'} - ${escapeOthers(json)}`,
      );
      return concatBytes(utf8(`${message.byteLength} `), message);
    }),
  );
}

function escapeOthers(json: string): string {
  return json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
