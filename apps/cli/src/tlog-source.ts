import { UnreachableError } from '@answer-evidence/client';
import type { JsonValue } from '@answer-evidence/contracts';
import { trimSlashes } from '@answer-evidence/encoding';
import { type LogView, type ReadTlog, viewLog } from '@answer-evidence/verify';
import { resolveConnection } from './config.ts';
import type { Context } from './context.ts';
import { type Io, waitFor } from './io.ts';
import { describeFileError, findErrorCode } from './system-error.ts';
import { UsageError } from './usage-error.ts';

/**
 * A log in C2SP tlog-tiles, in a folder or at a URL. The token goes along only to the configured registry's own
 * address; any other host gets none. Throws `UsageError` for a source that cannot be read, `UnreachableError` when a
 * host does not answer.
 */
export async function openTlogSource(io: Io, source: string, registryOption: string | undefined): Promise<ReadTlog> {
  if (!/^https?:\/\//.test(source)) return (path) => readFile(io, io.paths.join(source, path));
  const base = trimSlashes(source);
  if (!URL.canParse(base)) throw new UsageError('the log is neither a folder nor a URL');
  const headers = await headersFor(io, base, registryOption);
  return (path) => readUrl(io, `${base}/${path}`, headers);
}

async function readFile(io: Io, path: string): Promise<Uint8Array | undefined> {
  try {
    return await io.files.read(path);
  } catch (error) {
    // Only what is not there is missing in the log; what cannot be read is a fault of this machine.
    if (['ENOENT', 'ENOTDIR'].includes(findErrorCode(error) ?? '')) return undefined;
    throw new UsageError(`${path}: ${describeFileError(error)}`);
  }
}

async function headersFor(io: Io, base: string, registryOption: string | undefined): Promise<Record<string, string>> {
  try {
    const { registry, token } = await resolveConnection(io, registryOption);
    return new URL(base).origin === new URL(registry).origin ? { Authorization: `Bearer ${token}` } : {};
  } catch {
    // Nobody is logged in; a public log needs nobody.
    return {};
  }
}

/** What a host may take for one resource. */
const READ_TIMEOUT_MS = 120_000;

/** A bundle has 256 entries, each of at most 65,535 bytes after its length; a tile has 256 hashes of 32 bytes. */
const BUNDLE_MAX_BYTES = 256 * (2 + 0xffff);
const TILE_MAX_BYTES = 256 * 32;
const CHECKPOINT_MAX_BYTES = 1_048_576;

function sizeMaxOf(url: string): number {
  if (url.includes('/tile/entries/')) return BUNDLE_MAX_BYTES;
  return url.includes('/tile/') ? TILE_MAX_BYTES : CHECKPOINT_MAX_BYTES;
}

/** A host that limits the rate of requests is asked again after as long as it says, within bounds. */
const BUSY_ATTEMPTS_MAX = 5;
const BUSY_WAIT_MAX_S = 10;

async function readUrl(io: Io, url: string, headers: Record<string, string>): Promise<Uint8Array | undefined> {
  const { origin } = new URL(url);
  for (let attempts = 1; ; attempts++) {
    let response: Response;
    let bytes: Uint8Array;
    try {
      response = await io.fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(READ_TIMEOUT_MS) });
      bytes = await readBody(response, sizeMaxOf(url));
    } catch (cause) {
      throw new UnreachableError(origin, nameReason(cause), attempts, cause);
    }
    if (response.status === 404) return undefined;
    if (response.ok) return bytes;
    if (response.status !== 429 || attempts === BUSY_ATTEMPTS_MAX)
      throw new UnreachableError(origin, describeStatus(response.status), attempts, undefined);
    const asked = Number(response.headers.get('retry-after') ?? 1);
    await waitFor(io, 1000 * Math.min(Number.isFinite(asked) ? Math.max(asked, 1) : 1, BUSY_WAIT_MAX_S));
  }
}

/** What the system says of a connection that failed; anything else ended in the middle. */
function nameReason(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return findErrorCode(cause) ?? 'the reply was incomplete';
}

function describeStatus(status: number): string {
  const isPrivate = status === 401 || status === 403;
  return isPrivate ? `status ${status}: a log that is not public needs a token that may read it` : `status ${status}`;
}

/** The body, up to the size of such a resource: the host being verified is not trusted with this machine's memory. */
async function readBody({ body }: Response, sizeMax: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += piece.length;
    if (size > sizeMax) throw new Error('the reply is larger than any log resource');
    pieces.push(piece);
  }
  return new Uint8Array(Buffer.concat(pieces));
}

/** A log that a verification may read; `fault` is what the first failed read has met, or that nothing was there. */
type OpenedLog = { readonly view: LogView; readonly fault: () => { readonly error: unknown } | undefined };

/** The log up to the checkpoint of a bundle or proof. */
export async function openLog(
  context: Pick<Context, 'io' | 'registry'>,
  source: string,
  bundle: JsonValue,
): Promise<OpenedLog> {
  let first: { readonly error: unknown } | undefined;
  let [asked, found] = [0, 0];
  const fault = () =>
    first ?? (asked > 0 && found === 0 ? { error: new UsageError(describeNothing(source)) } : undefined);
  const read = await openTlogSource(context.io, source, context.registry());
  const noted: ReadTlog = async (path) => {
    asked += 1;
    try {
      const bytes = await read(path);
      if (bytes !== undefined) found += 1;
      return bytes;
    } catch (error) {
      first ??= { error };
      throw error;
    }
  };
  return { view: viewLog(noted, bundle), fault };
}

function describeNothing(source: string): string {
  return `nothing of the log is at ${source}: name the folder or URL that has "tile/", such as …/tlog/<workspace>`;
}

/** Verifies with a log, or without one that cannot be read: what needs it is skipped, and `assertRead` says why. */
export async function verifyWithLog<Verification>(
  log: OpenedLog | undefined,
  verify: (material: { readonly log?: LogView }) => Promise<Verification>,
): Promise<{ readonly verification: Verification; readonly assertRead: () => void }> {
  const whole = await verify(log === undefined ? {} : { log: log.view });
  const fault = log?.fault();
  return {
    verification: fault === undefined ? whole : await verify({}),
    assertRead() {
      if (fault !== undefined) throw fault.error;
    },
  };
}
