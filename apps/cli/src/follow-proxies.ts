const VARIABLES = ['HTTPS_PROXY', 'HTTP_PROXY', 'https_proxy', 'http_proxy'];

/**
 * From now on `fetch` goes through the proxies that the environment names: HTTPS_PROXY, HTTP_PROXY and NO_PROXY, in
 * either case. Returns what is wrong with them, if anything is. A Node that cannot do this while it runs (before 24.14)
 * does so from its start, with NODE_USE_ENV_PROXY=1.
 */
export function followProxies(env: Readonly<Record<string, string | undefined>>): string | undefined {
  if (VARIABLES.every((name) => (env[name] ?? '') === '')) return undefined;
  const http = process.getBuiltinModule('node:http') as { setGlobalProxyFromEnv?: (from: typeof env) => unknown };
  if (http.setGlobalProxyFromEnv === undefined) return undefined;
  try {
    http.setGlobalProxyFromEnv(env);
    return undefined;
  } catch {
    // Its message may quote the password of a proxy.
    return 'HTTPS_PROXY and HTTP_PROXY must be URLs such as http://proxy.example:3128';
  }
}
