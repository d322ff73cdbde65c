import type { IncomingMessage, ServerResponse } from 'node:http';
import { MIMEType } from 'node:util';
import { parse as parseDisposition } from 'content-disposition';
import { ServiceError } from '@answer-evidence/contracts';
import type { UploadedFile } from '@answer-evidence/routes';
import { GrowingBytes } from '../growing-bytes.ts';
import { CodingNotSupportedError } from '../media-type.ts';
import { CallerLeftError } from '../read-body.ts';
import { feedParts } from './feed.ts';
import { cleanFileName } from './file-name.ts';
import { multipartFault, type Part, type PartHeaders, PartQueue } from './part-queue.ts';

/** What a form may hold at most. */
type FormLimits = { readonly metadataBytesMax: number; readonly fileBytesMax: number };

/** A form as far as it has come: its file begins. Anyone who opened it closes it. */
type OpenForm = {
  /** The part `metadata`, as it came; undefined without one. */
  readonly metadata: Uint8Array | undefined;
  readonly file: UploadedFile;
  /** Keeps nothing of what still comes. */
  close(): void;
};

/** For boundaries, headers, and what may stand before and after the parts. */
const OVERHEAD_BYTES = 64 * 1024;
/** RFC 2046 section 5.1.1. */
const BOUNDARY = /^[0-9A-Za-z'()+_,\-./:=? ]{0,69}[0-9A-Za-z'()+_,\-./:=?]$/;

/** Whether the headers announce a form. */
export function announcesForm(type: string | undefined): boolean {
  return type !== undefined && /^\s*multipart\/form-data\s*(;|$)/i.test(type);
}

/**
 * Reads a `multipart/form-data` request up to where its file begins: an optional part `metadata`, then the part `file`.
 * Throws `multipart_not_valid`, `body_too_large`, `media_type_not_supported`, or `CallerLeftError`; its file throws
 * these too.
 */
export async function openForm(req: IncomingMessage, res: ServerResponse, limits: FormLimits): Promise<OpenForm> {
  const encoding = req.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new CodingNotSupportedError('identity', 'a form must not have a Content-Encoding; send it as it is');
  const parts = new PartQueue(parseBoundary(req.headers['content-type'] ?? ''));
  const bytesMax = limits.fileBytesMax + limits.metadataBytesMax + OVERHEAD_BYTES;
  const announced = req.headers['content-length'];
  if (announced !== undefined && Number(announced) > bytesMax) throw tooLarge('the body', bytesMax);
  if (req.destroyed) throw new CallerLeftError('the connection ended');
  // Only now: a caller who asked first sends nothing that would be refused.
  if (req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue();
  const stop = feedParts(req, parts, bytesMax);
  function close(): void {
    stop();
    // What still comes of a small body is let go by, so that the connection can carry the next request.
    req.resume();
  }
  try {
    return { ...(await readUpToFile(parts, limits)), close };
  } catch (error) {
    close();
    throw error;
  }
}

async function readUpToFile(parts: PartQueue, limits: FormLimits): Promise<Omit<OpenForm, 'close'>> {
  const first = await nextPart(parts);
  if (first === undefined) throw multipartFault('is required: send the part file with the bytes of the asset', '/file');
  if (first.name === 'file') return { metadata: undefined, file: openFile(parts, first, limits) };
  if (first.name !== 'metadata') throw multipartFault('the first part must be metadata or file');
  const metadata = new GrowingBytes(limits.metadataBytesMax);
  for await (const piece of parts.read(first.part)) {
    if (metadata.size + piece.length > limits.metadataBytesMax)
      throw tooLarge('the part metadata', limits.metadataBytesMax);
    metadata.add(piece);
  }
  const second = await nextPart(parts);
  if (second === undefined)
    throw multipartFault('is required: send the part file with the bytes of the asset', '/file');
  if (second.name === 'metadata') throw multipartFault('must be sent only once', '/metadata');
  if (second.name !== 'file') throw multipartFault('the part after metadata must be file');
  return { metadata: metadata.bytes(), file: openFile(parts, second, limits) };
}

type NamedPart = {
  readonly part: Part;
  readonly name: string;
  readonly fileName: string | undefined;
  readonly contentType: string | undefined;
};

async function nextPart(parts: PartQueue): Promise<NamedPart | undefined> {
  const part = await parts.next();
  if (part === undefined) return undefined;
  const disposition = onlyHeader(part.headers, 'content-disposition');
  const text = decode(disposition ?? '');
  if (repeats(text, 'name') || repeats(text, 'filename'))
    throw multipartFault('each Content-Disposition must have a parameter only once');
  const { type, parameters } = parseDisposition(text, { multipart: true });
  if (type !== 'form-data' || parameters['name'] === undefined)
    throw multipartFault('each part must have one Content-Disposition: form-data with a name');
  const transfer = onlyHeader(part.headers, 'content-transfer-encoding')?.trim().toLowerCase() ?? 'binary';
  // RFC 7578 section 4.7: none is used with HTTP, and taking base64 for the bytes would keep the wrong ones.
  if (!['binary', '7bit', '8bit'].includes(transfer))
    throw multipartFault('Content-Transfer-Encoding must be binary, or left out; send the bytes as they are');
  const contentType = onlyHeader(part.headers, 'content-type')?.trim();
  return { part, name: parameters['name'], fileName: parameters['filename'], contentType };
}

function onlyHeader(headers: PartHeaders, name: string): string | undefined {
  const values = headers[name] ?? [];
  if (values.length > 1) throw multipartFault('each part must have a header only once');
  return values[0];
}

/** Whether a header value has a parameter more than once: another reader might take the other one. */
function repeats(header: string, parameter: string): boolean {
  // A quote that is not closed reaches to the end; otherwise each of many would be tried anew.
  const unquoted = header.replace(/"(?:[^"\\]|\\.)*"?/g, '""');
  return unquoted.split(';').filter((part) => part.split('=', 1)[0]?.trim().toLowerCase() === parameter).length > 1;
}

/** Headers of parts are UTF-8 in practice (HTML forms send them so). */
function decode(oneCharacterAByte: string): string {
  return Buffer.from(oneCharacterAByte, 'latin1').toString();
}

function openFile(parts: PartQueue, { part, fileName, contentType }: NamedPart, limits: FormLimits): UploadedFile {
  async function* readFile(): AsyncGenerator<Uint8Array> {
    let size = 0;
    for await (const piece of parts.read(part)) {
      size += piece.length;
      if (size > limits.fileBytesMax) throw tooLarge('the file', limits.fileBytesMax);
      yield piece;
    }
    // The file is not whole before the form is: metadata that come too late would else be lost without a word.
    const next = await nextPart(parts);
    if (next?.name === 'metadata') throw multipartFault('must occur once, before the file', '/metadata');
    if (next !== undefined)
      throw multipartFault('file must be the last part; send other parts before it, or leave them out');
  }
  return {
    name: fileName === undefined ? undefined : cleanFileName(fileName),
    contentType: contentType === '' ? undefined : contentType,
    bytes: readFile(),
  };
}

function parseBoundary(contentType: string): string {
  let boundary: string | null = null;
  try {
    boundary = new MIMEType(contentType).params.get('boundary');
  } catch {
    // No media type at all, so it has no boundary either.
  }
  if (boundary === null || !BOUNDARY.test(boundary))
    throw multipartFault('Content-Type must be multipart/form-data with a valid boundary; let a library write both');
  if (repeats(contentType, 'boundary')) throw multipartFault('Content-Type must have only one boundary');
  return boundary;
}

function tooLarge(what: string, bytesMax: number): ServiceError {
  return new ServiceError('body_too_large', `${what} may have at most ${bytesMax} bytes`);
}
