/** In either case, as programs read them. */
const NAMES = /^https?_proxy$/i;

/**
 * From now on `fetch` goes through the proxies that the environment names: HTTPS_PROXY, HTTP_PROXY and NO_PROXY, in
 * either case. Returns what is wrong with them, if anything is.
 */
export async function followProxies(env: Readonly<Record<string, string | undefined>>): Promise<string | undefined> {
  if (!Object.keys(env).some((name) => NAMES.test(name))) return undefined;
  const { createProxiedFetch } = await import('@answer-evidence/client/node');
  try {
    globalThis.fetch = createProxiedFetch(env) ?? globalThis.fetch;
    return undefined;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return error.message;
  }
}
