import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort, isInstalled, startProgram } from '@answer-evidence/testing';
import { pythonBin, requiresPythonTools } from '../foreign-tools/python-tools.ts';
import { formatEnvoy } from '../proxy/format-envoy.ts';
import { formatCaddy, formatNginx, formatNginxOfServices, type ProxyPlaces } from '../proxy/format-proxies.ts';
import { createRoutingTable, ownedPaths } from '../proxy/routing-table.ts';

/** A proxy that installations use, and how its generated configuration becomes files and a command. */
type ProxyProgram = {
  readonly name: string;
  /** Whether its tests can run here. With `REQUIRE_SERVICES=1` they must. */
  readonly canRun: boolean;
  /** Writes the configuration into the folder; the command that runs it. */
  readonly configure: (folder: string, places: ProxyPlaces) => Promise<readonly [string, ...(readonly string[])]>;
};

/** A running proxy; anyone who opened it closes it. */
export type RunningProxy = { readonly url: string; readonly grpcUrl: string; close(): Promise<void> };

const isRequired = process.env['REQUIRE_SERVICES'] === '1';
const table = createRoutingTable(ownedPaths());

/** The proxies for which a whole configuration is generated. */
export const PROXY_PROGRAMS: readonly ProxyProgram[] = [
  {
    name: 'nginx',
    canRun: isRequired || isInstalled('nginx'),
    configure: (folder, places) => configureNginx(folder, formatNginx(table, places)),
  },
  {
    name: 'caddy',
    canRun: isRequired || isInstalled('caddy'),
    async configure(folder, places) {
      await writeFile(join(folder, 'Caddyfile'), formatCaddy(table, places));
      return ['caddy', 'run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'];
    },
  },
  {
    name: 'envoy',
    canRun: requiresPythonTools || existsSync(join(pythonBin, 'envoy')),
    async configure(folder, places) {
      await writeFile(join(folder, 'envoy.yaml'), formatEnvoy(table, places));
      const quiet = ['--log-level', 'error', '--use-dynamic-base-id', '--concurrency', '1'];
      return [join(pythonBin, 'envoy'), '--config-path', join(folder, 'envoy.yaml'), ...quiet];
    },
  },
];

/** nginx within a cluster, where the ingress leads gRPC. */
export const ROUTER_PROGRAM: ProxyProgram = {
  name: 'nginx as the router of the chart',
  canRun: isRequired || isInstalled('nginx'),
  configure: (folder, places) => configureNginx(folder, formatNginxOfServices(table, places)),
};

/** Starts one on free ports before these addresses, and waits until it answers. */
export async function startProxy(
  { configure }: ProxyProgram,
  { grpcAddress, ...to }: Pick<ProxyPlaces, 'addressOf' | 'instances'> & { readonly grpcAddress: string },
): Promise<RunningProxy> {
  const [port, grpcPort] = [await findFreePort(), await findFreePort()];
  const grpc = { port: grpcPort, address: grpcAddress };
  const url = `http://127.0.0.1:${port}`;
  const { close } = await startProgram('proxy', {
    prepare: (folder) => configure(folder, { port, ...to, grpc }),
    ask: () => fetch(url),
    signal: 'SIGTERM',
  });
  return { url, grpcUrl: `http://127.0.0.1:${grpcPort}`, close };
}

async function configureNginx(folder: string, configuration: string): ReturnType<ProxyProgram['configure']> {
  // What the configuration of every installation has around `conf.d`.
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`);
  await writeFile(join(folder, 'conf.d'), configuration);
  await writeFile(
    join(folder, 'nginx.conf'),
    `pid ${folder}/pid; events {} http { ${temporary.join(' ')} include ${folder}/conf.d; }`,
  );
  return ['nginx', '-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf'), '-g', 'daemon off;'];
}
