import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort, isInstalled } from '@answer-evidence/testing';

/** A program by the variable that names it, or by its name in PATH. */
const programOf = (variable: string, name: string): string => process.env[variable] ?? name;
const PROGRAMS = {
  kubeApiServer: programOf('KUBE_APISERVER', 'kube-apiserver'),
  etcd: programOf('ETCD', 'etcd'),
  helm: programOf('HELM', 'helm'),
  kubectl: programOf('KUBECTL', 'kubectl'),
};

/** Why no API server can be started here, in words; undefined where it can. */
export function findObstacle(): string | undefined {
  const missing = Object.entries(PROGRAMS).filter(([, program]) => !isInstalled(program));
  if (missing.length === 0) return undefined;
  const variables = 'KUBE_APISERVER, ETCD, HELM and KUBECTL, or PATH';
  return `needs ${missing.map(([, program]) => program).join(', ')} (by ${variables})`;
}

/** A real API server without nodes; anyone who started it stops it. */
export type ApiServer = {
  /** Runs one of the programs with what it needs to reach the server, and returns what it printed. */
  readonly run: (program: 'helm' | 'kubectl', args: readonly string[], input?: string) => ApiRun;
  close(): Promise<void>;
};
type ApiRun = { readonly status: number | null; readonly said: string };

const START_MS = 120_000;
const USER = 'a-token-of-the-administrator';

/** Starts etcd and kube-apiserver on free ports, with what admits pods by their standard. */
export async function startApiServer(): Promise<ApiServer> {
  const folder = await mkdtemp(join(tmpdir(), 'answer-evidence-kubernetes-'));
  const [client, peer, port] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const file = (name: string) => join(folder, name);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await writeFile(file('account.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  await writeFile(file('tokens.csv'), `${USER},admin,1,"system:masters"\n`);
  const cluster = { 'insecure-skip-tls-verify': true, server: `https://127.0.0.1:${port}` };
  await writeFile(
    file('kubeconfig'),
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'here', cluster }],
      users: [{ name: 'admin', user: { token: USER } }],
      contexts: [{ name: 'here', context: { cluster: 'here', user: 'admin' } }],
      'current-context': 'here',
    }),
  );
  const said: string[] = [];
  const children: ChildProcess[] = [];
  function start(program: string, args: readonly string[]): void {
    const child = spawn(program, [...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (bytes: Buffer) => said.push(bytes.toString()));
    children.push(child);
  }
  const run: ApiServer['run'] = (program, args, input) => {
    const env = { ...process.env, KUBECONFIG: file('kubeconfig'), HOME: folder };
    const { status, stdout, stderr } = spawnSync(PROGRAMS[program], [...args], { encoding: 'utf8', env, input });
    return { status, said: `${stdout}${stderr}` };
  };
  async function close(): Promise<void> {
    for (const child of children.toReversed()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await new Promise((resolve) => child.once('exit', resolve));
    }
    await rm(folder, { recursive: true, force: true });
  }
  const urls = `http://127.0.0.1:${client}`;
  start(PROGRAMS.etcd, [
    `--data-dir=${file('etcd')}`,
    `--listen-client-urls=${urls}`,
    `--advertise-client-urls=${urls}`,
    `--listen-peer-urls=http://127.0.0.1:${peer}`,
    '--unsafe-no-fsync',
  ]);
  start(PROGRAMS.kubeApiServer, [
    `--etcd-servers=${urls}`,
    `--secure-port=${port}`,
    '--bind-address=127.0.0.1',
    `--cert-dir=${file('certificates')}`,
    `--token-auth-file=${file('tokens.csv')}`,
    '--authorization-mode=RBAC',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${file('account.key')}`,
    `--service-account-signing-key-file=${file('account.key')}`,
    '--service-cluster-ip-range=10.96.0.0/16',
  ]);
  const until = Date.now() + START_MS;
  while (run('kubectl', ['get', '--raw', '/readyz']).status !== 0) {
    if (Date.now() > until || children.some(({ exitCode }) => exitCode !== null)) {
      await close();
      throw new Error(`the API server did not become ready:\n${said.slice(-20).join('')}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  return { run, close };
}
