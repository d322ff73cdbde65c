import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { type JsonValue, ServiceError } from '@answer-evidence/contracts';
import {
  canonicalize,
  JsonError,
  parseForeignJsonText,
  parseJson,
  parseSubmittedJson,
} from '@answer-evidence/encoding';
import { formatCursor, parseCursor } from '@answer-evidence/routes';
import { openForm } from '../../../libs/http-edge/src/http/multipart/open-form.ts';
import { createMacVault } from '../../../libs/routes/fixtures/mac-vault.ts';
import { assertSame, Fault, readEach, type Target, textOf } from '../target.ts';

const DEPTH_MAX = 64;
const BOUNDARY = 'limit-of-parts';
const FORM_LIMITS = { metadataBytesMax: 4_096, fileBytesMax: 65_536 };
/** Of the smallest and a usual size: a boundary that lies across two pieces is found all the same. */
const PIECE_BYTES = [5, 1_000] as const;

const VAULT = createMacVault('0199f3c2-0000-7000-8000-000000000001');
const LIST = { list: 'records', environment: 'test' };
/** The cursors of `corpus/cursors` that this list has given; each leads where it says. */
const POSITIONS = [{ leaf: 7, page: 2 }, { leaf: 9_007_199_254_740_991, page: 1 }, null];
const GIVEN = new Set(POSITIONS.map((at) => formatCursor(VAULT, LIST, at)));

function readJson(input: Uint8Array): void {
  const value = parseJson(input);
  const canonical = canonicalize(value);
  // RFC 8785: the form of a value is that of whatever it is read as again.
  assertSame(
    'the canonical form of a canonical form is another one',
    canonicalize(parseJson(encode(canonical))),
    canonical,
  );
  assertSame('the native reader reads another value', canonicalize(JSON.parse(textOf(input)) as JsonValue), canonical);
}

async function readForm(input: Uint8Array, pieceBytes: number): Promise<{ metadata: string; file: string }> {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < input.length; at += pieceBytes) pieces.push(Buffer.from(input.subarray(at, at + pieceBytes)));
  const stream = Readable.from(pieces, { objectMode: false });
  const req = Object.assign(stream, { headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` } });
  const form = await openForm(req as unknown as IncomingMessage, {} as ServerResponse, FORM_LIMITS);
  try {
    const file: Uint8Array[] = [];
    for await (const piece of form.file.bytes) file.push(piece);
    const { name } = form.file;
    if (name !== undefined && /[\p{Cc}/\\]|^\.\.?$/u.test(name)) throw new Fault('the name of a file leads elsewhere');
    return { metadata: textOf(form.metadata ?? new Uint8Array()), file: Buffer.concat(file).toString('hex') };
  } finally {
    form.close();
    stream.destroy();
  }
}

/** What it is read as in pieces of this size, or by which code it is refused. */
async function outcomeOfForm(input: Uint8Array, pieceBytes: number): Promise<unknown> {
  try {
    return await readForm(input, pieceBytes);
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** What requests are made of, whatever they ask for. */
export const REQUEST_TARGETS: readonly Target[] = [
  {
    name: 'jcs',
    words: [
      '-0',
      '1e400',
      '1E+2',
      '9007199254740993',
      '\\u0000',
      '\\ud800',
      '\\u0061',
      '"a":1,"a":2',
      '[[[[',
      '\ufeff',
      '"__proto__"',
    ],
    read(input) {
      const others = [() => void parseSubmittedJson(input), () => void parseForeignJsonText(textOf(input), DEPTH_MAX)];
      readEach([() => readJson(input), ...others], [JsonError]);
    },
    refusals: [JsonError],
  },
  {
    name: 'multipart',
    words: [
      ...[`\r\n--${BOUNDARY}\r\n`, `--${BOUNDARY}--\r\n`, '\r\n\r\n', 'Content-Disposition: form-data; name="file"'],
      ...["filename*=UTF-8''..%2f..%2fa", 'filename="..\\\\a"', 'Content-Type: text/html', '\r', '\n', '"', '\\"'],
      ...['Content-Transfer-Encoding: base64', 'name="metadata"', 'name=file', ';'],
    ],
    async read(input) {
      const [one, many] = await Promise.all(PIECE_BYTES.map((bytes) => outcomeOfForm(input, bytes)));
      assertSame('a form in pieces is read as another one', one, many);
    },
    refusals: [],
  },
  {
    name: 'cursors',
    words: [...GIVEN, 'AAAA', '=', '-', '_', '+', '/', ' ', '\u0000'],
    read(input) {
      const text = textOf(input);
      const at = parseCursor(VAULT, LIST, text);
      if (!GIVEN.has(text)) throw new Fault('a cursor is taken that was never given');
      assertSame('a cursor leads elsewhere', formatCursor(VAULT, LIST, at), text);
    },
    refusals: [ServiceError],
  },
];
