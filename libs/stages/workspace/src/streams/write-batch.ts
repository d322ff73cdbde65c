import type { StreamFormat } from '@answer-evidence/contracts';
import { utf8 } from '@answer-evidence/encoding';
import type { StoredPlace, Workspace } from '@answer-evidence/ports';
import type { WrittenEvent } from './format-syslog.ts';
import { toEvent } from './to-event.ts';
import { toOcsf } from './to-ocsf.ts';

/** Events of places that follow each other, and the place behind them. */
type Batch = { readonly events: readonly WrittenEvent[]; readonly from: number; readonly to: number };

/** How the events of a stream are written. */
type Writing = {
  readonly format: StreamFormat;
  readonly includeReasons: boolean;
  readonly nowMicros: number;
  readonly bytesMax: number;
};

/** The events of the first places, of as many as stay below the bytes, and of one at least. */
export function writeBatch(workspace: Workspace, places: readonly StoredPlace[], writing: Writing): Batch {
  const { format, includeReasons, nowMicros, bytesMax } = writing;
  const from = places[0]?.leafIndex ?? 0;
  const events: WrittenEvent[] = [];
  let bytes = 0;
  for (const place of places) {
    const event = toEvent(workspace, place, { includeReasons });
    const json = JSON.stringify(format === 'ocsf' ? toOcsf(event, nowMicros) : event);
    bytes += utf8(json).byteLength + 1;
    if (events.length > 0 && bytes > bytesMax) break;
    events.push({ event, json });
  }
  return { events, from, to: from + events.length };
}
