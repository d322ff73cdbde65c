import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { findFreePort } from '@answer-evidence/testing';
import type { Protocol } from './senders.ts';

const GUIDE = join(import.meta.dirname, '../../docs/otlp.md');

type Exporter = Record<string, unknown>;
type Configuration = {
  receivers: { otlp: { protocols: Record<'grpc' | 'http', { endpoint: string }> } };
  exporters: Record<string, Exporter>;
  extensions: { file_storage: { directory: string } };
  service: { pipelines: Record<string, { exporters: string[] }>; telemetry?: object };
};

/** A Collector with the configuration of the guide, whose queue is in a folder. */
export type Collector = {
  /** Where it takes OTLP, by the protocol in which it sends. */
  readonly endpoint: string;
  start(): Promise<void>;
  /** SIGKILL, and waits for its end. */
  kill(): Promise<void>;
};

/** Makes one; `start` starts it. */
export async function createCollector(
  program: string,
  folder: string,
  target: { readonly protocol: Protocol; readonly endpoint: string; readonly token: string },
): Promise<Collector> {
  const own = { grpc: `127.0.0.1:${await findFreePort()}`, http: `127.0.0.1:${await findFreePort()}` };
  const file = join(folder, 'collector.yaml');
  const configuration = await readConfiguration(target.protocol);
  const { protocols } = configuration.receivers.otlp;
  protocols.grpc.endpoint = own.grpc;
  protocols.http.endpoint = own.http;
  configuration.extensions.file_storage.directory = join(folder, 'queue');
  for (const exporter of Object.values(configuration.exporters)) {
    exporter['endpoint'] = target.endpoint;
    if ('tls' in exporter) exporter['tls'] = { insecure: true };
  }
  // Several may run on this machine.
  configuration.service.telemetry = { metrics: { level: 'none' } };
  await writeFile(file, stringify(configuration));
  const lines: string[] = [];
  let kill = () => Promise.resolve();
  return {
    endpoint: `http://${target.protocol === 'grpc' ? own.grpc : own.http}`,
    kill: () => kill(),
    async start() {
      const child = spawn(program, ['--config', file], {
        env: { ...process.env, SERVICE_TOKEN: target.token },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
      kill = async () => {
        child.kill('SIGKILL');
        await ended;
      };
      await new Promise<void>((resolve, reject) => {
        child.once('error', reject);
        void ended.then(() => reject(new Error(`the Collector ended before it was ready:\n${lines.join('\n')}`)));
        child.stderr.setEncoding('utf8').on('data', (text: string) => {
          lines.push(...text.split('\n'));
          if (text.includes('Everything is ready')) resolve();
        });
      });
    },
  };
}

/** The configuration that the guide prints for a protocol. */
async function readConfiguration(protocol: Protocol): Promise<Configuration> {
  const guide = await readFile(GUIDE, 'utf8');
  const printed = [...guide.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = '']) => parse(text) as Configuration);
  const whole = printed.find(({ receivers }) => receivers?.otlp !== undefined);
  const overGrpc = printed.find(({ exporters }) => exporters?.['otlp_grpc/answers'] !== undefined);
  if (whole === undefined || overGrpc === undefined) throw new Error('docs/otlp.md prints no configuration');
  if (protocol === 'grpc') {
    whole.exporters = overGrpc.exporters;
    for (const pipeline of Object.values(whole.service.pipelines)) pipeline.exporters = Object.keys(whole.exporters);
  }
  return whole;
}
