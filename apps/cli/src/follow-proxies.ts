import { createProxiedFetch } from '@answer-evidence/client/node';

/**
 * From now on `fetch` goes through the proxies that the environment names: HTTPS_PROXY, HTTP_PROXY and NO_PROXY, in
 * either case. Returns what is wrong with them, if anything is.
 */
export function followProxies(env: Readonly<Record<string, string | undefined>>): string | undefined {
  try {
    globalThis.fetch = createProxiedFetch(env) ?? globalThis.fetch;
    return undefined;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return error.message;
  }
}
