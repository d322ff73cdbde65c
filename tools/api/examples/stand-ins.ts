import { createHash } from 'node:crypto';

/** What is another at every run: ids, times, digests, keys, signatures, secrets, and the port. */
const VOLATILE = [
  { kind: 'host', pattern: /\b127\.0\.0\.1:\d+/ },
  { kind: 'uuid', pattern: /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/ },
  { kind: 'time', pattern: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/ },
  { kind: 'hex', pattern: /(?<![0-9A-Za-z])(?:[0-9a-f]{64}|[0-9a-f]{32})(?![0-9A-Za-z])/ },
  { kind: 'logId', pattern: /(?<=\/demo\/)[0-9a-f]{8}\b/ },
  // A checkpoint by itself is the newest that was published by then, which is a matter of time.
  { kind: 'treeSize', pattern: /(?<=^[^\n]+\/demo\/[0-9a-f]{8}\n)\d+(?=\n)/ },
  { kind: 'userCode', pattern: /\b[BCDFGHJ-NP-TV-XZ]{4}-[BCDFGHJ-NP-TV-XZ]{4}\b/ },
  { kind: 'keyId', pattern: /(?<=\+)[0-9a-f]{8}(?=\+)/ },
  // Base64 in either alphabet: of both cases, and 32 bytes at least. One digest in a thousand is without a digit.
  { kind: 'base64', pattern: /(?=[\w+/-]*[A-Z])(?=[\w+/-]*[a-z])[\w+/-]{43,}=*/ },
] as const;
const PATTERN = new RegExp(VOLATILE.map(({ kind, pattern }) => `(?<${kind}>${pattern.source})`).join('|'), 'g');

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const HOUR_MS = 3_600_000;
const STAND_IN_START = Date.parse('2026-11-20T09:00:00Z');

/** Puts a stand-in in the place of everything volatile, the same for the same value over all replies of a run. */
export class StandIns {
  private readonly known = new Map<string, string>();
  private readonly times = new TimeStandIns();

  /** The reply of an example as shown. A new value's stand-in depends only on the example and its position there. */
  replace(example: string, value: unknown): unknown {
    let count = 0;
    const replaceText = (text: string): string =>
      text.replace(PATTERN, (found, ...rest) => {
        const groups = rest.at(-1) as Readonly<Record<string, string | undefined>>;
        const kind = Object.keys(groups).find((name) => groups[name] !== undefined) ?? '';
        const standIn = this.known.get(found) ?? this.create(kind, found, `${example} ${++count}`);
        this.known.set(found, standIn);
        return standIn;
      });
    return mapTexts(value, replaceText);
  }

  private create(kind: string, found: string, seed: string): string {
    return kind === 'time' ? this.times.next(found) : createStandIn(kind, found, seed);
  }
}

/**
 * Times that are in the order in which things happened, and as far ahead of it as they were: a window begins before it
 * ends, and a retention lasts. What happened during the run is a second apart, whatever it took.
 */
class TimeStandIns {
  private readonly startedMs = Date.now();
  private happened = 0;

  next(found: string): string {
    const hoursAhead = Math.round((Date.parse(found) - this.startedMs) / HOUR_MS);
    const ahead = hoursAhead === 0 ? this.happened++ * 1000 : hoursAhead * HOUR_MS;
    return new Date(STAND_IN_START + ahead).toISOString().replace('Z', '000Z');
  }
}

/** Whether a text is a time and nothing else. */
export function isTime(text: string): boolean {
  return TIME.test(text);
}

function createStandIn(kind: string, found: string, seed: string): string {
  const digest = createHash('sha256').update(`an example: ${seed}`);
  if (kind === 'host') return '127.0.0.1:8080';
  if (kind === 'treeSize') return '23';
  if (kind === 'userCode') return 'BCDF-GHJK';
  if (kind === 'base64') return `${digest.digest('base64url').repeat(8)}`.slice(0, found.length);
  const hex = digest.digest('hex');
  if (kind === 'uuid')
    return `0199f3c2-${hex.slice(0, 4)}-7${hex.slice(4, 7)}-8${hex.slice(7, 10)}-${hex.slice(10, 22)}`;
  return hex.slice(0, found.length);
}

/** A value in which everything volatile, and every number, is only said to be there. */
export function maskVolatile(value: unknown): unknown {
  const masked = mapTexts(value, (text) => text.replace(PATTERN, '…').replace(/\d+/g, '0'));
  return mapNumbers(masked);
}

function mapNumbers(value: unknown): unknown {
  if (typeof value === 'number') return 0;
  return mapMembers(value, mapNumbers);
}

/** The value with another text in the place of each. */
export function mapTexts(value: unknown, map: (text: string) => string): unknown {
  return typeof value === 'string' ? map(value) : mapMembers(value, (member) => mapTexts(member, map));
}

function mapMembers(value: unknown, map: (member: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(map);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, map(member)]));
}
