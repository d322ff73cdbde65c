import type { Client, ClientOptions } from 'minio';
import type { UrlStyle } from './surroundings/bucket-checks.ts';

/** The part of `node:http` that the minio client calls. */
export type Transport = NonNullable<ClientOptions['transport']>;

/** What a client is made with beside its transport. */
type ClientAccess = {
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** Gives what each request is allowed by anew, where it may change. */
  readonly grant?: (() => Promise<Grant>) | undefined;
  /** How the bucket is named in a request; default: in the path. */
  readonly style?: UrlStyle;
};

/** What allows a request: keys that sign it, with the token of their session if they are of one, or a token alone. */
export type Grant =
  | { readonly accessKey: string; readonly secretKey: string; readonly sessionToken?: string | undefined }
  | { readonly bearer: string };

/** Whether a URL has only a scheme, a host and a port: all that a client takes of it. */
export function isOrigin(url: URL): boolean {
  return url.pathname === '/' && url.search === '' && url.username === '' && url.password === '';
}

/**
 * A client of the server at an origin. Rejects with what the minio client throws for values that no S3 server can have.
 */
export async function createClient(
  origin: URL,
  { style, grant, ...access }: ClientAccess,
  transport: Transport,
): Promise<Client> {
  // A sixth of the time that a process takes to start would go to this package, which few need.
  const { Client } = await import('minio');
  return new Client({
    ...access,
    ...(grant === undefined ? {} : { credentialsProvider: provide(grant) }),
    endPoint: origin.hostname,
    ...(origin.port === '' ? {} : { port: Number(origin.port) }),
    useSSL: origin.protocol === 'https:',
    transport,
    pathStyle: style !== 'virtual-host',
    // A failed attempt is repeated by anyone who asked for it.
    retryOptions: { disableRetry: true },
  });
}

/**
 * The client asks it before each request. The package does not export the class of which its types want one. A bearer
 * is handed to the transport as the token of a session, where `withBearer` finds it again.
 */
function provide(grant: () => Promise<Grant>): NonNullable<ClientOptions['credentialsProvider']> {
  const getCredentials = async () => {
    const given = await grant();
    const { accessKey, secretKey, sessionToken } =
      'bearer' in given ? { accessKey: BEARER, secretKey: BEARER, sessionToken: given.bearer } : given;
    return { getAccessKey: () => accessKey, getSecretKey: () => secretKey, getSessionToken: () => sessionToken };
  };
  return { getCredentials } as unknown as NonNullable<ClientOptions['credentialsProvider']>;
}

/** The access key that requests are signed with for which a bearer is there; it never leaves the process. */
const BEARER = 'bearer';
type Headers = Readonly<Record<string, unknown>>;

/**
 * The headers as Google's store wants them for a bearer: without a signature of keys that nobody has, and none of
 * Amazon's names, which it takes with a signature alone.
 */
export function withBearer(headers: Headers): Headers {
  if (!String(headers['authorization']).includes(`Credential=${BEARER}/`)) return headers;
  const rest = Object.entries(headers)
    .filter(([name]) => !OF_SIGNATURES.has(name))
    .map(([name, value]) => [name.replace(/^x-amz-/, 'x-goog-'), value] as const);
  return { ...Object.fromEntries(rest), authorization: `Bearer ${String(headers[SESSION_TOKEN])}` };
}

const SESSION_TOKEN = 'x-amz-security-token';
const OF_SIGNATURES: ReadonlySet<string> = new Set([SESSION_TOKEN, 'x-amz-date', 'x-amz-content-sha256']);
