import { type OpenServer, openServer, type ServerOptions } from '@answer-evidence/http-edge';
import type { Config } from './config.ts';
import type { Report } from './report.ts';
import { StartError } from './start-error.ts';
import { followTlsFiles, readTlsFiles } from './tls-files.ts';

/** Listens for what the service is for: with TLS where its files are set, whose renewal it follows. */
export async function listenForApi(
  handler: ServerOptions['handler'],
  config: Config,
  report: Report,
): Promise<OpenServer> {
  const tls = await readTlsFiles(config);
  const server = await listen('SERVICE_HTTP_PORT', config, {
    handler,
    tls,
    connectionsMax: config.SERVICE_CONNECTIONS_MAX,
  });
  if (tls === undefined) return server;
  const stop = followTlsFiles(config, tls, (pair) => server.renew(pair), report);
  return {
    ...server,
    async close() {
      stop();
      await server.close();
    },
  };
}

/** Listens on the port of that setting. Throws `StartError` for an address that cannot be had. */
export async function listen(
  setting: 'SERVICE_HTTP_PORT' | 'SERVICE_METRICS_PORT',
  config: Config,
  options: Omit<ServerOptions, 'host' | 'port'>,
): Promise<OpenServer> {
  const { SERVICE_HTTP_HOST: host, [setting]: port } = config;
  try {
    return await openServer({ ...options, host, port });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE')
      throw new StartError(`port ${port} is in use; stop the program that uses it or set ${setting}`);
    if (code === 'EACCES') throw new StartError(`port ${port} is not open to this user; set ${setting} above 1023`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new StartError(`"${host}" is not an address of this machine; correct SERVICE_HTTP_HOST`);
    throw error;
  }
}
