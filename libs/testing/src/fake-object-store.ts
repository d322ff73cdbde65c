import type { IncomingMessage, ServerResponse } from 'node:http';
import { listen, type ListeningServer } from './listen.ts';

type Version = {
  readonly id: string;
  readonly body: Buffer;
  mode: string | undefined;
  until: string | undefined;
  /** A mark of deletion, which hides the versions below it and removes none. */
  readonly isMark?: boolean;
};

/** How a store departs from one that locks. */
export type StoreFault =
  | 'no lock'
  | 'no versions'
  /** Keeps another mode than was asked for. */
  | 'governance'
  | 'shorter retention'
  | 'other bytes'
  /** Takes the retention and has none afterwards. */
  | 'forgets the lock'
  | 'another version';

/** An S3 server in memory for object lock, without signature checks, to misbehave where a real one cannot. */
export class FakeObjectStore {
  readonly versions = new Map<string, Version[]>();
  readonly requests: string[] = [];
  fault: StoreFault | undefined;

  /** Answers one request. */
  answer(method: string, url: URL, body: Buffer, response: ServerResponse): void {
    this.requests.push(`${method} ${url.pathname}${url.search}`);
    const versions = this.versions.get(url.pathname) ?? [];
    const wanted = url.searchParams.get('versionId');
    const version = wanted === null ? versions.at(-1) : versions.find(({ id }) => id === wanted);
    if (url.searchParams.has('object-lock')) return this.#lockConfig(response);
    if (url.searchParams.has('versions')) return this.#list(url, response);
    if (method === 'PUT' && !url.searchParams.has('retention')) return this.#put(url.pathname, body, response);
    if (version === undefined) return fail(response, 404, 'NoSuchKey');
    if (url.searchParams.has('retention')) return this.#retention(method, version, body.toString(), response);
    const content = this.fault === 'other bytes' ? Buffer.from(version.body).fill('x') : version.body;
    response.writeHead(200, {
      'content-length': content.length,
      'last-modified': 'Sat, 21 Nov 2026 12:00:00 GMT',
      etag: '"5d41402abc4b2a76b9719d911017c592"',
      'x-amz-version-id': this.fault === 'another version' && wanted !== null ? 'other' : version.id,
    });
    response.end(method === 'HEAD' ? undefined : content);
  }

  #lockConfig(response: ServerResponse): void {
    if (this.fault === 'no lock') return fail(response, 404, 'ObjectLockConfigurationNotFoundError');
    const enabled = '<ObjectLockEnabled>Enabled</ObjectLockEnabled>';
    response.writeHead(200).end(`<ObjectLockConfiguration>${enabled}</ObjectLockConfiguration>`);
  }

  /** Keys in order, the newest version of each first; marks of deletion among them. */
  #list({ pathname, searchParams }: URL, response: ServerResponse): void {
    const place = `${pathname.replace(/\/$/, '')}/`;
    const entries = [...this.versions]
      .filter(([key]) => key.startsWith(`${place}${searchParams.get('prefix') ?? ''}`))
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([key, versions]) => [...versions].reverse().map((version) => ({ key, ...version })))
      .slice(0, Number(searchParams.get('max-keys')))
      .map(({ key, id, isMark }) => {
        const inner = `<Key>${encodeURIComponent(key.slice(place.length))}</Key><VersionId>${id}</VersionId>`;
        return isMark === true ? `<DeleteMarker>${inner}</DeleteMarker>` : `<Version>${inner}<Size>1</Size></Version>`;
      });
    response.writeHead(200).end(`<ListVersionsResult>${entries.join('')}</ListVersionsResult>`);
  }

  #put(key: string, body: Buffer, response: ServerResponse): void {
    const id = `v${this.requests.length}`;
    const versions = [...(this.versions.get(key) ?? []), { id, body, mode: undefined, until: undefined }];
    this.versions.set(key, versions);
    const headers = this.fault === 'no versions' ? {} : { 'x-amz-version-id': id };
    response.writeHead(200, { etag: '"5d41402abc4b2a76b9719d911017c592"', ...headers }).end();
  }

  #retention(method: string, version: Version, xml: string, response: ServerResponse): void {
    if (method === 'PUT') {
      const until = /<RetainUntilDate>([^<]*)</.exec(xml)?.[1] ?? '';
      if (version.until !== undefined && until < version.until) return fail(response, 403, 'AccessDenied');
      version.mode = this.fault === 'governance' ? 'GOVERNANCE' : /<Mode>([^<]*)</.exec(xml)?.[1];
      version.until = this.fault === 'shorter retention' ? '2026-11-22T00:00:00.000Z' : until;
      if (this.fault === 'forgets the lock') version.mode = version.until = undefined;
      return void response.writeHead(200).end();
    }
    const { mode, until } = version;
    if (mode === undefined || until === undefined) return fail(response, 404, 'NoSuchObjectLockConfiguration');
    const inner = `<Mode>${mode}</Mode><RetainUntilDate>${until}</RetainUntilDate>`;
    response.writeHead(200).end(`<Retention>${inner}</Retention>`);
  }
}

function fail(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`);
}

/** Opens the store on a free port of the loopback interface; anyone who opened it closes it. */
export async function openFakeObjectStore(): Promise<ListeningServer & { readonly store: FakeObjectStore }> {
  const store = new FakeObjectStore();
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    store.answer(request.method ?? '', new URL(request.url ?? '/', 'http://store'), Buffer.concat(parts), response);
  }
  const server = await listen((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  return { store, ...server };
}
