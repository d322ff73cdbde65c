import type { Config } from './config.ts';

/** Where callers reach the service: the setting, or the loopback address it listens on. */
export function baseUrlOf(config: Config, port = config.SERVICE_HTTP_PORT): string {
  return config.SERVICE_BASE_URL ?? `${schemeOf(config)}://127.0.0.1:${port}`;
}

/** The address that the process listens on, whatever proxies callers go through. */
export function listeningUrl(config: Config, port: number): string {
  const host = config.SERVICE_HTTP_HOST.includes(':') ? `[${config.SERVICE_HTTP_HOST}]` : config.SERVICE_HTTP_HOST;
  return `${schemeOf(config)}://${host}:${port}`;
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

/** Value of `Strict-Transport-Security`; undefined where callers do not use HTTPS, or it is switched off. */
export function transportSecurityOf(config: Config): string | undefined {
  const { SERVICE_HSTS_SECONDS: seconds } = config;
  const isSecure = schemeOf(config) === 'https' || baseUrlOf(config).startsWith('https:');
  return seconds === 'off' || !isSecure ? undefined : `max-age=${seconds}`;
}

function schemeOf({ SERVICE_TLS_CERT_FILE: certificate }: Config): string {
  return certificate === undefined ? 'http' : 'https';
}
