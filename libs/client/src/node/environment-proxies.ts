/** The proxies that an environment names, and the hosts that are reached without them. */
export type Proxies = { readonly https?: URL; readonly http?: URL; readonly direct: readonly string[] };

/**
 * Reads HTTPS_PROXY, HTTP_PROXY and NO_PROXY; of two cases, the lower one counts. Throws a `TypeError`, without the
 * value, which may hold a password.
 */
export function readProxies(environment: Readonly<Record<string, string | undefined>>): Proxies {
  const read = (name: string) => (environment[name.toLowerCase()] ?? environment[name] ?? '').trim();
  const parse = (name: string) => {
    const value = read(name);
    if (value === '') return undefined;
    const url = value.includes('://') ? value : `http://${value}`;
    const protocol = URL.canParse(url) ? new URL(url).protocol : undefined;
    if (protocol === 'http:' || protocol === 'https:') return new URL(url);
    throw new TypeError(`${name} must be a URL such as http://proxy.example:3128`);
  };
  const [https, http] = [parse('HTTPS_PROXY'), parse('HTTP_PROXY')];
  return {
    ...(https === undefined ? {} : { https }),
    ...(http === undefined ? {} : { http }),
    direct: read('NO_PROXY')
      .split(',')
      .flatMap((part) => part.trim().toLowerCase().split(' '))
      .filter((name) => name !== ''),
  };
}

/**
 * The proxy for a URL. NO_PROXY names hosts, with everything below them (`example.com`, `.example.com`,
 * `*.example.com`), with or without a port, or all of them (`*`).
 */
export function findProxy({ https, http, direct }: Proxies, url: URL): URL | undefined {
  const bare = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  const forms = [bare, url.hostname, `${url.hostname}:${port}`];
  const isDirect = direct.some((entry) => {
    if (entry === '*') return true;
    const wild = entry.startsWith('*') ? entry.slice(1) : entry;
    const name = wild.startsWith('.') ? wild.slice(1) : wild;
    return forms.some((form) => form === name || form.endsWith(`.${name}`));
  });
  if (isDirect) return undefined;
  return url.protocol === 'https:' ? https : http;
}
