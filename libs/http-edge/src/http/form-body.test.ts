import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import * as z from 'zod';
import { ServiceError } from '@answer-evidence/contracts';
import { defineRoute, type UploadedFile } from '@answer-evidence/routes';
import { BOUNDARY, formBody, formPart } from '../fixtures/form-body.ts';
import { type OpenEdge, openEdge } from '../fixtures/open-edge.ts';
import { openRaw, sendRaw } from '../fixtures/send-raw.ts';

const FILE_MAX = 300_000;
const METADATA_MAX = 2_000;
const metadata = z.strictObject({ name: z.string().max(10).optional(), tags: z.array(z.string()).optional() });

/** How each file came to its end, in the order of their ends. */
const ends: unknown[] = [];

async function digest(file: UploadedFile): Promise<{ sha256: string; size: number }> {
  const hash = createHash('sha256');
  let size = 0;
  try {
    for await (const piece of file.bytes) {
      hash.update(piece);
      size += piece.length;
    }
  } catch (error) {
    ends.push(error);
    throw error;
  }
  ends.push('whole');
  return { sha256: hash.digest('hex'), size };
}

const formRoute = defineRoute({
  method: 'POST',
  path: '/files',
  operationId: 'postFile',
  summary: 'Take a file',
  access: 'whoami',
  body: metadata,
  bodyBytesMax: 1_000,
  form: { metadata, fileBytesMax: FILE_MAX, metadataBytesMax: METADATA_MAX },
  async handleForm({ body }, file) {
    if (body.name === 'refused') throw new ServiceError('application_not_allowed', 'not yours');
    if (body.name === 'unread') return { status: 200, body: {} };
    return {
      status: 200,
      body: { body, name: file.name ?? null, type: file.contentType ?? null, ...(await digest(file)) },
    };
  },
  responses: { 200: { description: 'What came.', schema: z.looseObject({}) } },
  handle: ({ body }) => Promise.resolve({ status: 200, body: { json: body } }),
});

let edge: OpenEdge;
beforeAll(async () => {
  edge = await openEdge([formRoute]);
});
afterAll(() => edge.close());

const CONTENT_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;
const file = formPart('file', 'the content', 'a.txt');
const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex');

async function post(body: Uint8Array | string, contentType = CONTENT_TYPE, headers = {}) {
  const reply = await edge.post('/files', body as BodyInit, { 'content-type': contentType, ...headers });
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
}

describe('a form', () => {
  it('of a file alone is taken, with empty metadata', async () => {
    expect(await post(formBody(file))).toEqual({
      status: 200,
      body: { body: {}, name: 'a.txt', type: null, sha256: sha256('the content'), size: 11 },
    });
  });

  it('of metadata and a file is taken as FormData sends it', async () => {
    const form = new FormData();
    form.set('metadata', new Blob(['{"name":"n","tags":["t"]}'], { type: 'application/json' }));
    form.set(
      'file',
      new File([new Uint8Array(FILE_MAX)], 'Jahres\u00adbericht "\u65e5\u672c".pdf', { type: 'application/pdf' }),
    );
    const request = new Request('http://a', { method: 'POST', body: form });
    const reply = await post(new Uint8Array(await request.arrayBuffer()), request.headers.get('content-type') ?? '');
    expect(reply.body).toEqual({
      body: { name: 'n', tags: ['t'] },
      name: 'Jahresbericht "\u65e5\u672c".pdf',
      type: 'application/pdf',
      sha256: sha256(new Uint8Array(FILE_MAX)),
      size: FILE_MAX,
    });
  });

  it('may come in any pieces, and hold anything that is not its boundary', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.uint8Array({ maxLength: 400 }),
            fc
              .constantFrom('\r\n', '--', '\r\n--', '\r\n--limit-of', '-', '\r', `--${BOUNDARY}`)
              .map((s) => Buffer.from(s)),
          ),
          { maxLength: 30 },
        ),
        fc.integer({ min: 1, max: 300 }),
        async (contents, pieceBytes) => {
          // After a line break, the boundary would be one.
          const content = Buffer.concat([Buffer.from('x'), ...contents]);
          fc.pre(!content.includes(`\r\n--${BOUNDARY}`));
          const body = formBody(formPart('metadata', '{"name":"n"}'), formPart('file', content, 'f'));
          const stream = new ReadableStream<Uint8Array>({
            start(controller) {
              for (let at = 0; at < body.length; at += pieceBytes)
                controller.enqueue(body.subarray(at, at + pieceBytes));
              controller.close();
            },
          });
          const reply = await edge.send('/files', {
            method: 'POST',
            body: stream,
            headers: { 'content-type': CONTENT_TYPE },
            duplex: 'half',
          } as RequestInit);
          expect(await reply.json()).toMatchObject({ sha256: sha256(content), size: content.length });
        },
      ),
      { numRuns: 40 },
    ));

  it('beside which the same path takes JSON, and nothing else', async () => {
    expect(await post('{"name":"j"}', 'application/json')).toEqual({ status: 200, body: { json: { name: 'j' } } });
    const reply = await post('x', 'text/plain');
    expect(reply).toMatchObject({ status: 415, body: { code: 'media_type_not_supported' } });
    expect(reply.body['detail']).toContain('multipart/form-data');
    const packed = await post(formBody(file), CONTENT_TYPE, { 'content-encoding': 'gzip' });
    expect(packed).toMatchObject({ status: 415, body: { detail: expect.stringContaining('Content-Encoding') } });
  });

  it.each([
    ['..\\..\\evil\\C:report.txt', 'C:report.txt'],
    ['/etc/../passwd', 'passwd'],
    ['a\u202etxt.exe', 'atxt.exe'],
    ['a%0Ab\tc%0D', 'abc'],
    ['\u200bx\ufeff', 'x'],
    ['..', null],
    ['a/', null],
    ['', null],
    ['\u0001', null],
    [`${'n'.repeat(254)}\ud83d\ude00`, 'n'.repeat(254)],
  ])('whose file is called %j gives the hint %j', async (given, name) => {
    expect((await post(formBody(formPart('file', 'x', given)))).body['name']).toBe(name);
  });

  const headersNumbered = (count: number) => Array.from({ length: count }, (_, n) => `X-${n}: y`);
  const twice = { headers: [...file.headers, ...file.headers], content: 'x' };
  it.each<readonly [string, Uint8Array | string, string]>([
    ['is empty', '', ''],
    ['has no parts', `--${BOUNDARY}--\r\n`, '/file'],
    ['has metadata and no file', formBody(formPart('metadata', '{}')), '/file'],
    ['has the metadata behind the file', formBody(file, formPart('metadata', '{}')), '/metadata'],
    ['has metadata twice', formBody(formPart('metadata', '{}'), formPart('metadata', '{}'), file), '/metadata'],
    ['has two files', formBody(file, file), ''],
    ['has a part of another name', formBody(formPart('other', 'x'), file), ''],
    ['has a part of another name last', formBody(file, formPart('other', 'x')), ''],
    ['has a part without a name', formBody({ headers: ['Content-Disposition: form-data'], content: 'x' }), ''],
    ['has an attachment', formBody({ headers: ['Content-Disposition: attachment; name="file"'], content: 'x' }), ''],
    ['has a part without headers', formBody({ headers: [], content: 'x' }, file), ''],
    ['has a part with broken headers', formBody({ headers: ['no colon'], content: 'x' }), ''],
    ['contains a header twice', formBody(twice), ''],
    [
      'has a part in base64',
      formBody({ headers: [...file.headers, 'Content-Transfer-Encoding: base64'], content: '' }),
      '',
    ],
    [
      'has a name twice',
      formBody({ headers: ['Content-Disposition: form-data; name="file"; name="metadata"'], content: 'x' }),
      '',
    ],
    [
      'has two file names',
      formBody({ headers: ['Content-Disposition: form-data; name="file"; filename=a; FILENAME="b"'], content: 'x' }),
      '',
    ],
    ['has 17 headers', formBody({ headers: [...file.headers, ...headersNumbered(16)], content: 'x' }), ''],
    ['has a long header', formBody({ headers: [...file.headers, `X-Long: ${'b'.repeat(9_000)}`], content: 'x' }), ''],
    ['has a very long file name', formBody(formPart('file', 'x', 'a'.repeat(300_000))), ''],
    ['is cut in the file', formBody(file).subarray(0, -30), ''],
    ['is cut in a header', formBody(file).subarray(0, 40), ''],
    ['is cut before its last two dashes', formBody(file).subarray(0, -4), ''],
    ['has another boundary', formBody(file).toString().replaceAll(BOUNDARY, 'another'), ''],
    ['has a part that ends in its headers', `--${BOUNDARY}\r\nContent-Disposition: form\r\n--${BOUNDARY}--\r\n`, ''],
    ['is JSON', '{}', ''],
  ])('that %s is refused', async (_, body, pointer) => {
    const reply = await post(body);
    expect(reply).toMatchObject({ status: 422, body: { code: 'multipart_not_valid' } });
    expect(reply.body['errors']).toMatchObject([{ pointer }]);
  });

  it.each([
    ['multipart/form-data', 'no boundary'],
    ['multipart/form-data; boundary=', 'an empty one'],
    [`multipart/form-data; boundary="${'b'.repeat(71)}"`, 'one too long'],
    ['multipart/form-data; boundary="a\u00e9"', 'one that is not ASCII'],
    [`${CONTENT_TYPE}; boundary=C`, 'two of them'],
    [`multipart/form-data; boundary="${BOUNDARY}" ;BOUNDARY =C`, 'two of them, one quoted'],
  ])('with the content type %s has %s and is refused', async (contentType) => {
    const reply = await post(formBody(file), contentType);
    expect(reply).toMatchObject({ status: 422, body: { code: 'multipart_not_valid' } });
  });

  it.each<readonly [string, number, string, string]>([
    ['{"name":"much too long"}', 422, 'schema_violation', '/metadata/name'],
    ['{"unknown":1}', 422, 'schema_violation', '/metadata/unknown'],
    ['[]', 422, 'schema_violation', '/metadata'],
    ['{"name":"a","name":"b"}', 422, 'duplicate_key', '/metadata/name'],
  ])('with the metadata %s is refused where the fault is', async (text, status, code, pointer) => {
    const reply = await post(formBody(formPart('metadata', text), file));
    expect(reply).toMatchObject({ status, body: { code, errors: [{ pointer }] } });
  });

  it.each(['', '{', 'null x', '\ufeff{}'])('with metadata that are no JSON is malformed: %j', async (text) => {
    const reply = await post(formBody(formPart('metadata', text), file));
    expect(reply).toMatchObject({ status: 400, body: { code: 'malformed_json' } });
  });

  it('is taken up to its limits and refused beyond them, announced or not', async () => {
    expect((await post(formBody(formPart('file', Buffer.alloc(FILE_MAX))))).status).toBe(200);
    ends.length = 0;
    const over = await post(formBody(formPart('file', Buffer.alloc(FILE_MAX + 1))));
    expect(over).toMatchObject({ status: 413, body: { code: 'body_too_large' } });
    expect(over.body['detail']).toContain(String(FILE_MAX));
    // The handler saw the file fail, and did not take what had come for the whole.
    expect(ends).toMatchObject([{ code: 'body_too_large' }]);
    const metadataOver = formPart('metadata', `{"name":"n"}${' '.repeat(METADATA_MAX)}`);
    expect(await post(formBody(metadataOver, file))).toMatchObject({ status: 413 });
    const headers = {
      headers: [...file.headers, `X-Bomb: ${'b'.repeat(FILE_MAX + METADATA_MAX + 70_000)}`],
      content: 'x',
    };
    expect(await post(formBody(headers))).toMatchObject({ status: 413 });
  });

  const head = (length: number, more = '') =>
    `POST /files HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer manager\r\nContent-Type: ${CONTENT_TYPE}\r\n` +
    `Content-Length: ${length}\r\n${more}\r\n`;

  it('that announces too much is refused before it is sent', async () => {
    const reply = await sendRaw(edge.port, head(10_000_000, 'Expect: 100-continue\r\n'));
    expect(reply).toMatch(/^HTTP\/1\.1 413 /);
    expect(reply).not.toContain('100 Continue');
  });

  it('whose caller leaves is nobody’s file', async () => {
    ends.length = 0;
    const body = formBody(formPart('file', 'beginning'));
    const raw = await openRaw(edge.port);
    raw.socket.write(head(body.length + 1_000, 'Expect: 100-continue\r\n'));
    await raw.receive('100 Continue');
    raw.socket.write(body.subarray(0, -20));
    raw.socket.destroy();
    await edge.logs.find('"status":499');
    expect(ends).toMatchObject([{ name: 'CallerLeftError' }]);
  });

  it.each([
    ['refused', 403],
    ['unread', 200],
  ])('whose file is not read (%s) leaves its connection to the next request', async (name, status) => {
    const body = formBody(formPart('metadata', `{"name":"${name}"}`), formPart('file', Buffer.alloc(40_000)));
    const next = formBody(file);
    const raw = await openRaw(edge.port);
    raw.socket.write(head(body.length));
    raw.socket.write(body);
    await raw.receive(`HTTP/1.1 ${status} `);
    raw.socket.write(head(next.length, 'Connection: close\r\n'));
    raw.socket.write(next);
    expect(await raw.toEnd()).toContain(sha256('the content'));
  });

  it('is taken no faster than its file is read', async () => {
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    const slow = await openEdge([
      {
        ...formRoute,
        form: { metadata, fileBytesMax: 1024 ** 3 },
        async handleForm(_, { bytes }) {
          begin();
          await held;
          let size = 0;
          for await (const piece of bytes) size += piece.length;
          return { status: 200, body: { size } };
        },
      },
    ]);
    const raw = await openRaw(slow.port);
    const body = formBody(formPart('file', Buffer.alloc(64 * 1024 * 1024)));
    raw.socket.write(head(body.length, 'Connection: close\r\n'));
    raw.socket.write(body);
    await begun;
    // What the buffers of the system took; the rest waits at the sender.
    let waiting = raw.socket.writableLength;
    for (let last = -1; last !== waiting; waiting = raw.socket.writableLength) {
      last = waiting;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(waiting).toBeGreaterThan(0);
    goOn();
    expect(await raw.toEnd()).toContain(`{"size":${64 * 1024 * 1024}}`);
    await slow.close();
  });

  it('that is large and not read is answered, and not read for ever', async () => {
    const body = formBody(formPart('metadata', '{"name":"refused"}'), formPart('file', Buffer.alloc(FILE_MAX)));
    expect(await post(body)).toMatchObject({ status: 403, body: { code: 'application_not_allowed' } });
  });
});
