import type { Client, ClientOptions } from 'minio';
import type { UrlStyle } from './surroundings/bucket-checks.ts';

/** The part of `node:http` that the minio client calls. */
export type Transport = NonNullable<ClientOptions['transport']>;

/** What a client is made with beside its transport. */
type ClientAccess = {
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** How the bucket is named in a request; default: in the path. */
  readonly style?: UrlStyle;
};

/** Whether a URL has only a scheme, a host and a port: all that a client takes of it. */
export function isOrigin(url: URL): boolean {
  return url.pathname === '/' && url.search === '' && url.username === '' && url.password === '';
}

/**
 * A client of the server at an origin. Rejects with what the minio client throws for values that no S3 server can have.
 */
export async function createClient(
  origin: URL,
  { style, ...access }: ClientAccess,
  transport: Transport,
): Promise<Client> {
  // A sixth of the time that a process takes to start would go to this package, which few need.
  const { Client } = await import('minio');
  return new Client({
    ...access,
    endPoint: origin.hostname,
    ...(origin.port === '' ? {} : { port: Number(origin.port) }),
    useSSL: origin.protocol === 'https:',
    transport,
    pathStyle: style !== 'virtual-host',
    // A failed attempt is repeated by anyone who asked for it.
    retryOptions: { disableRetry: true },
  });
}
