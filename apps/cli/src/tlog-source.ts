import { UnreachableError } from '@answer-evidence/client';
import type { JsonValue } from '@answer-evidence/contracts';
import { NoteError, parseCheckpoint, parseNote } from '@answer-evidence/note';
import { createTlogView, type LogView, type ReadTlog } from '@answer-evidence/verifier';
import { resolveConnection } from './config.ts';
import type { Context } from './context.ts';
import type { Io } from './io.ts';

/**
 * A log in C2SP tlog-tiles, in a folder or at a URL. The token goes along only to the configured registry's own address; any
 * other host gets none. Throws `UnreachableError` when a host does not answer.
 */
export async function openTlogSource(io: Io, source: string, registryOption: string | undefined): Promise<ReadTlog> {
  const base = source.replace(/\/+$/, '');
  if (!/^https?:\/\//.test(source)) return (path) => readFile(io, `${base}/${path}`);
  const headers = await headersFor(io, base, registryOption);
  return (path) => readUrl(io, `${base}/${path}`, headers);
}

async function readFile(io: Io, path: string): Promise<Uint8Array | undefined> {
  try {
    return await io.files.read(path);
  } catch {
    return undefined;
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

async function readUrl(io: Io, url: string, headers: Record<string, string>): Promise<Uint8Array | undefined> {
  let response: Response;
  try {
    response = await io.fetch(url, { headers, redirect: 'error' });
  } catch (cause) {
    throw new UnreachableError(new URL(url).origin, 'no reply', 1, cause);
  }
  if (response.status === 404) return undefined;
  if (!response.ok) throw new UnreachableError(new URL(url).origin, `status ${response.status}`, 1, undefined);
  return new Uint8Array(await response.arrayBuffer());
}

/** The log up to the checkpoint of a bundle or proof; nothing when that has none, which its own checks say. */
export async function openLog(
  context: Pick<Context, 'io' | 'registry'>,
  source: string,
  bundle: JsonValue,
): Promise<{ log?: LogView }> {
  const text = typeof bundle === 'object' && bundle !== null && 'checkpoint' in bundle ? bundle.checkpoint : undefined;
  if (typeof text !== 'string') return {};
  try {
    const checkpoint = parseCheckpoint(parseNote(text).text);
    return { log: createTlogView(await openTlogSource(context.io, source, context.registry()), checkpoint) };
  } catch (error) {
    if (error instanceof NoteError) return {};
    throw error;
  }
}
