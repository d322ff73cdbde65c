import { spawn, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PRODUCT_VERSION } from '@answer-evidence/contracts';
import { writeSecrets } from './write-secrets.ts';

const REPOSITORY = new URL('../..', import.meta.url).pathname;
const PULL_MS = 300_000;

/** The image of the service that is deployed. */
const IMAGE = process.env['SERVICE_IMAGE'] ?? `answer-evidence:${PRODUCT_VERSION}`;

/** Why the files of Compose cannot be brought up here, in words; undefined where they can. */
export async function findObstacle(): Promise<string | undefined> {
  const succeeds = (...args: readonly string[]) => spawnSync('docker', args, { timeout: PULL_MS }).status === 0;
  if (!succeeds('info')) return 'needs a Docker engine that runs';
  if (!succeeds('compose', 'version')) return 'needs Docker Compose, as a plugin of Docker';
  if (!succeeds('image', 'inspect', IMAGE)) return `needs the image: docker build --tag ${IMAGE} .`;
  const text = await readFile(join(REPOSITORY, 'docker-compose.yml'), 'utf8');
  const others = new Set([...text.matchAll(/image: ([^$&\s]+)/g)].map(([, image = '']) => image));
  const missing = [...others].filter(
    (image) => !succeeds('image', 'inspect', image) && !succeeds('pull', '--quiet', image),
  );
  return missing.length === 0 ? undefined : `needs images that cannot be pulled: ${missing.join(', ')}`;
}

/** Creates that go on until they are stopped. */
export type Load = {
  /** The ids of what was acknowledged, by their idempotency keys. */
  readonly acknowledged: ReadonlyMap<string, string>;
  /** What was refused or failed, and was sent again. */
  readonly refused: readonly string[];
  /** The longest time without a create that was acknowledged. */
  readonly longestGapMs: number;
  stop(): Promise<void>;
};

/** Runs programs of Node with one address. */
type Caller = {
  /** What the program printed. */
  run(program: string): Promise<string>;
  close(): Promise<void>;
};

/** The files of Compose in a folder and under a name of their own; `close` removes everything. */
export type DeployedProject = {
  readonly folder: string;
  /** As Compose calls it: the beginning of the names of its containers and volumes. */
  readonly name: string;
  /** The image of the service. */
  readonly image: string;
  /** Runs a command in the folder; what it printed. Rejects with its last words where it fails. */
  readonly run: (command: string, args: readonly string[], input?: string) => Promise<string>;
  readonly compose: (...args: readonly string[]) => Promise<string>;
  /** Makes the first workspace, `demo`, and the configuration of the command line for it. */
  readonly createWorkspace: () => Promise<void>;
  /** Runs a script in the image with the configuration of the command line: among callers, or at the proxy. */
  runInside(place: 'edge' | 'proxy', script: string): Promise<string>;
  startLoad(name: string): Load;
  /** A container among callers, with an address of its own until it is closed. */
  openCaller(name: string): Promise<Caller>;
  close(): Promise<void>;
};

const LOAD = `
const token = /token: (aeu_\\S+)/.exec(require('node:fs').readFileSync('/config/compose.yaml', 'utf8'))[1];
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
async function create(key) {
  const body = JSON.stringify({ application_key: 'load', idempotency_key: key, question: { text: 'q' },
    answer: { text: 'a' } });
  const headers = { Authorization: 'Bearer ' + token, 'Content-Type': 'application/json' };
  try {
    const response = await fetch('http://proxy:8080/api/answer-audit-logs', { method: 'POST', headers, body });
    const text = await response.text();
    if (response.status === 201) return console.log('ok ' + key + ' ' + JSON.parse(text).id), true;
    console.log('refused ' + response.status + ' ' + text);
  } catch (error) {
    console.log('refused ' + (error.cause?.code ?? error.message));
  }
}
(async () => {
  for (let n = 0; ; n++, await pause(50)) while (!(await create(process.env.NAME + '-' + n))) await pause(200);
})();`;

/** Writes the files and new secrets into a folder; nothing is started. */
export async function openDeployedProject(environment: Readonly<Record<string, string>>): Promise<DeployedProject> {
  const folder = await mkdtemp(join(tmpdir(), 'answer-evidence-deployed-'));
  const project = folder.split('/').at(-1)?.toLowerCase() ?? '';
  const secrets = join(REPOSITORY, 'deploy/secrets');
  for (const file of ['docker-compose.yml', 'docker-compose.two.yml', 'deploy'])
    await cp(join(REPOSITORY, file), join(folder, file), {
      recursive: true,
      filter: (path) => !path.startsWith(secrets),
    });
  await writeSecrets(join(folder, 'deploy/secrets'));
  await mkdir(join(folder, '.data'));
  const env = { ...process.env, COMPOSE_PROJECT_NAME: project, ...environment };

  function run(command: string, args: readonly string[], input = ''): Promise<string> {
    const child = spawn(command, args, { cwd: folder, env });
    let said = '';
    child.stdout.on('data', (bytes: Buffer) => void (said += bytes.toString()));
    child.stderr.on('data', (bytes: Buffer) => void (said += bytes.toString()));
    child.stdin.end(input);
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => {
        if (code === 0) resolve(said);
        else reject(new Error(`${command} ${args.join(' ')} ended with ${code}:\n${said.slice(-4_000)}`));
      });
    });
  }
  const compose = (...args: readonly string[]) => run('docker', ['compose', ...args]);
  const inside = (network: string, ...more: readonly string[]) => [
    ...['run', '--rm', '--network', network, '--volume', `${folder}/.data:/config`, '--user', '0:0'],
    ...['--env', 'SERVICE_CONFIG=/config/compose.yaml', '--workdir', '/tmp', ...more],
  ];

  return {
    folder,
    name: project,
    image: IMAGE,
    run,
    compose,
    async createWorkspace() {
      const as = ['--user', `${process.getuid?.()}:${process.getgid?.()}`];
      const workspace = ['--slug', 'demo', '--name', 'Demo', '--manager', 'admin', '--config', '/config/compose.yaml'];
      await compose('run', '--rm', '-T', ...as, 'operator', 'workspace-create', ...workspace);
    },
    runInside(place, script) {
      const network = place === 'proxy' ? `container:${project}-proxy-1` : `${project}_${place}`;
      return run('docker', [...inside(network, '--entrypoint', 'sh'), IMAGE, '-ec', script]);
    },
    startLoad(name) {
      const acknowledged = new Map<string, string>();
      const refused: string[] = [];
      const container = `${project}-${name}`;
      const own = ['--name', container, '--env', `NAME=${name}`, '--entrypoint', 'node'];
      const child = spawn('docker', [...inside(`${project}_service`, ...own), IMAGE, '--eval', LOAD], { env });
      let rest = '';
      let [last, longestGapMs] = [Number.NaN, 0];
      child.stdout.on('data', (bytes: Buffer) => {
        const lines = `${rest}${bytes.toString()}`.split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          const [word, key = '', id = ''] = line.split(' ');
          if (word !== 'ok') refused.push(line);
          else {
            acknowledged.set(key, id);
            const now = performance.now();
            longestGapMs = Math.max(longestGapMs, now - (last || now));
            last = now;
          }
        }
      });
      child.stderr.on('data', (bytes: Buffer) => void refused.push(bytes.toString()));
      const ended = new Promise((resolve) => void child.once('close', resolve));
      return {
        acknowledged,
        refused,
        get longestGapMs() {
          return longestGapMs;
        },
        async stop() {
          await run('docker', ['rm', '--force', container]);
          await ended;
        },
      };
    },
    async openCaller(name) {
      const container = `${project}-${name}`;
      const idle = ['--detach', '--name', container, '--entrypoint', 'sleep'];
      await run('docker', [...inside(`${project}_edge`, ...idle), IMAGE, 'infinity']);
      return {
        run: (program) => run('docker', ['exec', container, 'node', '--eval', program]),
        async close() {
          await run('docker', ['rm', '--force', container]);
        },
      };
    },
    async close() {
      await run('docker', ['compose', '--profile', '*', 'down', '--volumes', '--timeout', '10']);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
