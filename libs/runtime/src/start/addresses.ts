import type { Config } from './config.ts';

/** Where callers reach the service: the setting, or the loopback address it listens on. */
export function baseUrlOf(config: Config, port = config.SERVICE_HTTP_PORT): string {
  const scheme = config.SERVICE_TLS_CERT_FILE === undefined ? 'http' : 'https';
  return config.SERVICE_BASE_URL ?? `${scheme}://127.0.0.1:${port}`;
}

/** Where a workspace is reached: a host of its own where hosts select workspaces. */
export function workspaceUrl(baseUrl: string, slug: string): string {
  return baseUrl.replace('{workspace}', slug);
}

/** What the public address has before the paths of the service; a proxy takes it off requests. */
export function basePathOf({ SERVICE_BASE_URL: url }: Config): string {
  return url === undefined ? '' : new URL(workspaceUrl(url, 'workspace')).pathname.replace(/\/$/, '');
}

/** The host of an origin: host and port without a scheme, the workspace's own where hosts select workspaces. */
export function originHost(baseUrl: string, slug: string): string {
  return new URL(workspaceUrl(baseUrl, slug)).host;
}
