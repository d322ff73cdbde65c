import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { SignedRequest } from './judge-signature.ts';

/** The part of S3 that a store of objects uses, in memory. Each request is authorized first, which throws a code. */
export function answerS3(
  objects: Map<string, Buffer>,
  request: SignedRequest,
  response: ServerResponse,
  authorize: () => unknown,
): void {
  const { method, target, body } = request;
  const refuse = (status: number, code: string) =>
    void response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`);
  const xml = (text: string) => void response.writeHead(200, { 'content-type': 'application/xml' }).end(text);
  try {
    authorize();
  } catch (error) {
    return refuse(403, (error as Error).message);
  }
  const { pathname, searchParams: query } = new URL(target, 'http://s3');
  const key = decodeURIComponent(pathname.replace(/^\/evidence\/?/, ''));
  const upload = query.get('uploadId');
  const partOf = (part: string | number) => `.parts/${String(upload)}/${part}`;
  const etag = `"${createHash('md5').update(body).digest('hex')}"`;
  if (method === 'POST' && query.has('uploads'))
    return xml(`<InitiateMultipartUploadResult><UploadId>u-${key.length}</UploadId></InitiateMultipartUploadResult>`);
  if (method === 'POST' && upload !== null) {
    const numbers = [...body.toString().matchAll(/<PartNumber>(\d+)</g)].map(([, number]) => number ?? '');
    objects.set(key, Buffer.concat(numbers.map((number) => objects.get(partOf(number)) ?? Buffer.alloc(0))));
    return xml(
      '<CompleteMultipartUploadResult><Location>/</Location><Bucket>evidence</Bucket><Key>k</Key><ETag>"e"</ETag></CompleteMultipartUploadResult>',
    );
  }
  if (method === 'PUT') {
    objects.set(upload === null ? key : partOf(query.get('partNumber') ?? ''), body);
    return void response.writeHead(200, { etag }).end();
  }
  if (method === 'DELETE') {
    if (upload === null) objects.delete(key);
    return void response.writeHead(204).end();
  }
  if (query.has('versioning')) return xml('<VersioningConfiguration/>');
  if (query.has('object-lock')) return refuse(404, 'ObjectLockConfigurationNotFoundError');
  if (key === '') {
    const found = [...objects.keys()].filter((name) => name.startsWith(query.get('prefix') ?? ''));
    const rows = found.map((name) => `<Contents><Key>${name}</Key><Size>1</Size></Contents>`).join('');
    return xml(`<ListBucketResult><IsTruncated>false</IsTruncated>${rows}</ListBucketResult>`);
  }
  const content = objects.get(key);
  if (content === undefined) return refuse(404, 'NoSuchKey');
  const headers = { etag, 'content-length': content.length, 'last-modified': new Date().toUTCString() };
  response.writeHead(200, headers).end(method === 'HEAD' ? undefined : content);
}
