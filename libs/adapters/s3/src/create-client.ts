import { Client, type ClientOptions } from 'minio';

/** The part of `node:http` that the minio client calls. */
export type Transport = NonNullable<ClientOptions['transport']>;

/** What a client is made with beside its transport. */
type ClientAccess = { readonly region: string; readonly accessKey: string; readonly secretKey: string };

/** Whether a URL has only a scheme, a host and a port: all that a client takes of it. */
export function isOrigin(url: URL): boolean {
  return url.pathname === '/' && url.search === '' && url.username === '' && url.password === '';
}

/** A client of the server at an origin. Throws what the minio client throws for values that no S3 server can have. */
export function createClient(origin: URL, access: ClientAccess, transport: Transport): Client {
  return new Client({
    ...access,
    endPoint: origin.hostname,
    ...(origin.port === '' ? {} : { port: Number(origin.port) }),
    useSSL: origin.protocol === 'https:',
    transport,
    // A failed attempt is repeated by anyone who asked for it.
    retryOptions: { disableRetry: true },
  });
}
