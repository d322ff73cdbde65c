/** A server, by its host and port. */
export type Endpoint = { readonly host: string; readonly port: number };

/** A name and a password, of which a server may want both, the password alone, or none. */
type Credentials = { readonly username?: string | undefined; readonly password?: string | undefined };

/** What a `REDIS_URL` names: one server, or the Sentinels that know which one is the master. */
export type RedisAddress = Credentials & {
  /** The server, or its Sentinels. */
  readonly endpoints: readonly Endpoint[];
  readonly isEncrypted: boolean;
  /** Undefined where the URL names the server itself. */
  readonly sentinel?: Credentials & { readonly master: string };
  readonly database: number;
};

const REDIS_PORT = 6_379;
const SENTINEL_PORT = 26_379;
/** Not `URL`, which knows one host only. */
const OF_SENTINELS = /^(rediss?)-sentinel:\/\/(?:([^@/?#]*)@)?([^@/?#]+)(?:\/(\d{0,4}))?(?:\?([^#]*))?$/;
const PARAMETERS: ReadonlySet<string> = new Set(['sentinelMasterId', 'sentinelUsername', 'sentinelPassword']);

/** Reads a `REDIS_URL`. Throws an error whose message says what form it must have. */
export function parseRedisAddress(text: string): RedisAddress {
  return /^rediss?-sentinel:/.test(text) ? parseSentinels(text) : parseServer(text);
}

/** How a sentence names what a `REDIS_URL` leads to, without its passwords. */
export function placeOfRedis(text: string): string {
  const { endpoints, sentinel } = parseRedisAddress(text);
  const places = endpoints.map(formatEndpoint).join(', ');
  return sentinel === undefined ? `Redis at ${places}` : `Redis "${sentinel.master}" of the Sentinels at ${places}`;
}

/** `host:port`. */
export function formatEndpoint({ host, port }: Endpoint): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function parseServer(text: string): RedisAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^rediss?:$/.test(url.protocol))
    throw new Error('must be a URL beginning with redis://, rediss://, redis-sentinel:// or rediss-sentinel://');
  return {
    endpoints: [endpointOf(url, REDIS_PORT)],
    isEncrypted: url.protocol === 'rediss:',
    database: Number(/^\/(\d+)$/.exec(url.pathname)?.[1] ?? 0),
    ...parseCredentials(`${url.username}:${url.password}`),
  };
}

function parseSentinels(text: string): RedisAddress {
  const [, scheme = '', credentials, hosts = '', database = '', query = ''] = OF_SENTINELS.exec(text) ?? [];
  const parameters = new Map(query.split('&').flatMap((part) => (part === '' ? [] : [parseParameter(part)])));
  const master = parameters.get('sentinelMasterId') ?? '';
  const unknown = [...parameters.keys()].find((name) => !PARAMETERS.has(name));
  if (unknown !== undefined) throw new Error(`may have no parameters but ${[...PARAMETERS].join(', ')}`);
  if (scheme === '' || !/^[\w.-]{1,200}$/.test(master))
    throw new Error('must be of the form redis-sentinel://HOST:PORT,HOST:PORT/DATABASE?sentinelMasterId=NAME');
  return {
    endpoints: hosts.split(',').map(parseSentinel),
    isEncrypted: scheme === 'rediss',
    sentinel: {
      master,
      username: parameters.get('sentinelUsername'),
      password: parameters.get('sentinelPassword'),
    },
    database: Number(database),
    ...(credentials === undefined ? {} : parseCredentials(credentials)),
  };
}

function parseSentinel(text: string): Endpoint {
  const url = URL.canParse(`redis://${text}`) ? new URL(`redis://${text}`) : undefined;
  if (url === undefined || url.hostname === '' || url.pathname !== '')
    throw new Error('must name each Sentinel as HOST or HOST:PORT, separated by commas');
  return endpointOf(url, SENTINEL_PORT);
}

/** Whether two of them name the same servers and the same database there, whatever the passwords. */
export function isSameRedis(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => {
    const { endpoints, isEncrypted, database, sentinel } = parseRedisAddress(text);
    return JSON.stringify([endpoints, isEncrypted, database, sentinel?.master]);
  });
  return a === b;
}

function endpointOf({ hostname, port }: URL, defaultPort: number): Endpoint {
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? defaultPort : Number(port) };
}

/** Like `URL`, what has no colon is the name. */
function parseCredentials(text: string): Credentials {
  const at = text.indexOf(':');
  const [username, password] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
  return {
    ...(username === '' ? {} : { username: decode(username) }),
    ...(password === '' ? {} : { password: decode(password) }),
  };
}

/** Not `URLSearchParams`, which makes a space of the `+` of a password. */
function parseParameter(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  return at < 0 ? [text, ''] : [text.slice(0, at), decode(text.slice(at + 1))];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('must have two hexadecimal digits after each %; write %25 for a percent sign');
  }
}
