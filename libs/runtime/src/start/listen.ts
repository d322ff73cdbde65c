import { type CallHandler, openGrpcServer } from '@answer-evidence/grpc-edge';
import { type OpenServer, openServer, type ServerOptions } from '@answer-evidence/http-edge';
import type { Config } from '../ground/config.ts';
import type { Report } from '../ground/report.ts';
import { StartError } from '../ground/start-error.ts';
import { findDescriptorLimit, planConnections } from './plan-connections.ts';
import { followTlsFiles, readTlsFiles } from './tls-files.ts';

/** The ports that the service is there for. */
type ApiServers = {
  readonly port: number;
  /** Undefined where gRPC is off, or no stage of this process has a method of it. */
  readonly grpcPort: number | undefined;
  close(): Promise<void>;
};

type Handlers = { readonly http: ServerOptions['handler']; readonly grpc?: CallHandler | undefined };

/** Listens for what the process is for: with TLS where its files are set, whose renewal it follows. */
export async function listenForApi(handlers: Handlers, config: Config, report: Report): Promise<ApiServers> {
  const tls = await readTlsFiles(config);
  const { SERVICE_HTTP_HOST: host, SERVICE_OTLP_GRPC_PORT: wanted } = config;
  const ports = wanted === undefined || handlers.grpc === undefined ? 1 : 2;
  const { connectionsMax, warning } = planConnections(config.SERVICE_CONNECTIONS_MAX, ports, findDescriptorLimit());
  if (warning !== undefined) report(`warning: ${warning}`);
  const grpc = await listenForGrpc();
  try {
    const http = await listen('SERVICE_HTTP_PORT', config, {
      handler: handlers.http,
      tls,
      connectionsMax,
      http2Advice: adviseGrpc(grpc?.port),
    });
    const servers = grpc === undefined ? [http] : [http, grpc];
    const renew = (pair: NonNullable<typeof tls>) => servers.forEach((server) => server.renew(pair));
    const stop = tls === undefined ? () => undefined : followTlsFiles(config, tls, renew, report);
    return {
      port: http.port,
      grpcPort: grpc?.port,
      async close() {
        stop();
        await Promise.all(servers.map((server) => server.close()));
      },
    };
  } catch (error) {
    await grpc?.close();
    throw error;
  }

  async function listenForGrpc(): Promise<OpenServer | undefined> {
    if (wanted === undefined || handlers.grpc === undefined) return undefined;
    const options = { handler: handlers.grpc, tls, connectionsMax, host, port: wanted };
    return await open('SERVICE_OTLP_GRPC_PORT', options, openGrpcServer);
  }
}

/** What an exporter that speaks gRPC shows when it was given the port of the API. */
function adviseGrpc(grpcPort: number | undefined): string {
  return grpcPort === undefined
    ? 'this port speaks HTTP/1.1, and OTLP over gRPC is off: use OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf'
    : `this port speaks HTTP/1.1; OTLP over gRPC is at port ${grpcPort}`;
}

/** Listens on the port of that setting. Throws `StartError` for an address that cannot be had. */
export async function listen(
  setting: 'SERVICE_HTTP_PORT' | 'SERVICE_METRICS_PORT',
  config: Config,
  options: Omit<ServerOptions, 'host' | 'port'>,
): Promise<OpenServer> {
  const { SERVICE_HTTP_HOST: host, [setting]: port } = config;
  return await open(setting, { ...options, host, port }, openServer);
}

async function open<O extends { readonly host: string; readonly port: number }>(
  setting: string,
  options: O,
  openOne: (options: O) => Promise<OpenServer>,
): Promise<OpenServer> {
  const { host, port } = options;
  try {
    return await openOne(options);
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
