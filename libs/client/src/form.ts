import type { Upload } from './transport.ts';

/** A file to be kept. `open` is asked for its bytes once for each attempt, and they are never all in memory. */
export type EvidenceFile = {
  readonly name: string;
  readonly contentType?: string;
  open(): AsyncIterable<Uint8Array>;
};

/** Line breaks and quotes as browsers write them in the names of a form (HTML, section 4.10.22.8). */
const ESCAPES: Readonly<Record<string, string>> = { '\n': '%0A', '\r': '%0D', '"': '%22' };
/** A media type, at most with parameters: nothing that could end the line. */
const MEDIA_TYPE = /^[\x21-\x3a\x3c-\x7e]+(; *[\x21-\x3a\x3c-\x7e]+)*$/;

/** A form of a JSON part `metadata` and then a part `file` (RFC 7578), whose bytes are read while they are sent. */
export function formatForm(metadata: string, file: EvidenceFile, boundary: string): Upload {
  const type = file.contentType ?? 'application/octet-stream';
  if (!MEDIA_TYPE.test(type)) throw new TypeError('the content type is not a media type');
  const name = file.name.replace(/[\n\r"]/g, (character) => ESCAPES[character] ?? '');
  const encoder = new TextEncoder();
  const head =
    `--${boundary}\r\ncontent-disposition: form-data; name="metadata"\r\ncontent-type: application/json\r\n\r\n${metadata}\r\n` +
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: ${type}\r\n\r\n`;
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    async *open() {
      yield encoder.encode(head);
      yield* file.open();
      yield encoder.encode(`\r\n--${boundary}--\r\n`);
    },
  };
}
