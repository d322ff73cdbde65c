import type { Client, ClientOptions } from 'minio';
import type { UrlStyle } from './surroundings/bucket-checks.ts';

/** The part of `node:http` that the minio client calls. */
export type Transport = NonNullable<ClientOptions['transport']>;

/** What a client is made with beside its transport. */
type ClientAccess = {
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** Gives the keys for each request anew, where they may change. */
  readonly keys?: (() => Keys) | undefined;
  /** How the bucket is named in a request; default: in the path. */
  readonly style?: UrlStyle;
};

/** What requests are signed with. */
export type Keys = { readonly accessKey: string; readonly secretKey: string };

/** Whether a URL has only a scheme, a host and a port: all that a client takes of it. */
export function isOrigin(url: URL): boolean {
  return url.pathname === '/' && url.search === '' && url.username === '' && url.password === '';
}

/**
 * A client of the server at an origin. Rejects with what the minio client throws for values that no S3 server can have.
 */
export async function createClient(
  origin: URL,
  { style, keys, ...access }: ClientAccess,
  transport: Transport,
): Promise<Client> {
  // A sixth of the time that a process takes to start would go to this package, which few need.
  const { Client } = await import('minio');
  return new Client({
    ...access,
    ...(keys === undefined ? {} : { credentialsProvider: provide(keys) }),
    endPoint: origin.hostname,
    ...(origin.port === '' ? {} : { port: Number(origin.port) }),
    useSSL: origin.protocol === 'https:',
    transport,
    pathStyle: style !== 'virtual-host',
    // A failed attempt is repeated by anyone who asked for it.
    retryOptions: { disableRetry: true },
  });
}

/** The client asks it before each request. The package does not export the class of which its types want one. */
function provide(keys: () => Keys): NonNullable<ClientOptions['credentialsProvider']> {
  const getCredentials = () => {
    const { accessKey, secretKey } = keys();
    return Promise.resolve({
      getAccessKey: () => accessKey,
      getSecretKey: () => secretKey,
      getSessionToken: () => undefined,
    });
  };
  return { getCredentials } as unknown as NonNullable<ClientOptions['credentialsProvider']>;
}
