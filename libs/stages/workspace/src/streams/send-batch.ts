import type { StreamDestination, StreamEvent } from '@answer-evidence/contracts';
import { utf8 } from '@answer-evidence/encoding';
import { OutboundError, tellTenant } from '@answer-evidence/ports';
import type { DestinationDeps } from './deps.ts';
import { formatSyslog, type WrittenEvent } from './format-syslog.ts';

/** For everything together: name look-up, connection, request and the whole response. */
export const SEND_TIMEOUT_MS = 20_000;
/** Of a response the status counts; so much of the rest is read. */
const RESPONSE_BYTES_MAX = 64 * 1024;
const INDEX_DIGITS = 12;

/** One attempt: what is sent, in order, and what tells it from every other attempt at other entries. */
export type Sending = {
  readonly streamId: string;
  readonly events: readonly WrittenEvent[];
  readonly hostName: string;
  readonly nowMicros: number;
  readonly signal?: AbortSignal;
};

/** Sends events once. Undefined if the destination confirmed all of them, else what failed, in words of the service. */
export async function sendBatch(
  deps: DestinationDeps,
  destination: StreamDestination,
  sending: Sending,
): Promise<string | undefined> {
  try {
    switch (destination.type) {
      case 'https':
        return await post(deps, destination, sending);
      case 'syslog':
        return await deliver(deps, destination, sending);
      case 's3':
        return await put(deps, destination, sending);
    }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return tellTenant(error);
  }
}

type Of<Type extends StreamDestination['type']> = Extract<StreamDestination, { readonly type: Type }>;

async function post({ outbound }: DestinationDeps, { url, body, header }: Of<'https'>, { events, signal }: Sending) {
  const isArray = body === 'array';
  const { status } = await outbound.post({
    url,
    body: utf8(isArray ? `[${events.map(({ json }) => json).join(',')}]` : formatLines(events)),
    contentType: isArray ? 'application/json' : 'application/x-ndjson',
    headers: { 'User-Agent': 'answer-evidence', ...(header === undefined ? {} : { [header.name]: header.value }) },
    timeoutMs: SEND_TIMEOUT_MS,
    bytesMax: RESPONSE_BYTES_MAX,
    ...(signal === undefined ? {} : { signal }),
  });
  if (status >= 200 && status < 300) return undefined;
  return `the collector responded ${status}${status >= 300 && status < 400 ? '; redirects are not followed' : ''}`;
}

async function deliver({ outboundTls }: DestinationDeps, destination: Of<'syslog'>, sending: Sending) {
  const { host, port, ca_pem: ca, certificate_pem: certificate, key_pem: key } = destination;
  await outboundTls.deliver({
    ...{ host, port, ca, certificate, key },
    bytes: formatSyslog(sending.events, sending.hostName, sending.nowMicros),
    timeoutMs: SEND_TIMEOUT_MS,
    signal: sending.signal,
  });
  return undefined;
}

async function put(
  { buckets }: DestinationDeps,
  destination: Of<'s3'>,
  { streamId, events, nowMicros, signal }: Sending,
) {
  const key = `${destination.prefix}${streamId}/${nameOf(events, nowMicros)}.jsonl`;
  const content = utf8(formatLines(events));
  const ended = signal === undefined ? {} : { signal };
  return buckets.put(destination, key, content, { timeoutMs: SEND_TIMEOUT_MS, ...ended });
}

/** By the first and the last entry, so that the order of names is that of the log. */
function nameOf(events: readonly WrittenEvent[], nowMicros: number): string {
  const [first, last] = [indexOf(events[0]?.event), indexOf(events.at(-1)?.event)];
  return first === undefined || last === undefined ? `test-${nowMicros}` : `${first}-${last}`;
}

function indexOf(event: StreamEvent | undefined): string | undefined {
  const { leaf_index: leafIndex = null } = event ?? {};
  return leafIndex === null ? undefined : String(leafIndex).padStart(INDEX_DIGITS, '0');
}

function formatLines(events: readonly WrittenEvent[]): string {
  return events.map(({ json }) => `${json}\n`).join('');
}
