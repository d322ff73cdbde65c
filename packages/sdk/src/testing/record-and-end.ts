/**
 * Records answers and ends as it is told. The name of the process is in each question, so that a test knows which are
 * missing.
 */
import cluster from 'node:cluster';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { AnswerEvidence } from '../index.ts';

/** So many answers each process or thread hands over. */
const ANSWERS = 20;
const [url = '', end = 'itself'] = isMainThread ? process.argv.slice(2) : (workerData as string[]);

async function hand(name: string): Promise<AnswerEvidence> {
  const evidence = new AnswerEvidence({ application: 'support-bot', url, token: 't' });
  for (let n = 0; n < ANSWERS; n += 1) await evidence.record({ question: `${name} ${n}`, answer: 'yes' });
  return evidence;
}

const stay = () => void setInterval(() => undefined, 1_000);

const ENDS: Readonly<Record<string, () => Promise<unknown>>> = {
  itself: () => hand('itself'),
  async signal() {
    await hand('signal');
    stay();
    process.kill(process.pid, 'SIGTERM');
  },
  async interrupt() {
    await hand('interrupt');
    stay();
    process.kill(process.pid, 'SIGINT');
  },
  async 'two-signals'() {
    await hand('two-signals');
    process.kill(process.pid, 'SIGTERM');
    // Later than any that is passed on twice.
    setTimeout(() => process.kill(process.pid, 'SIGINT'), 1_500);
  },
  async 'own-handler'() {
    const evidence = await hand('own-handler');
    process.once('SIGTERM', () => void evidence.close().then(() => process.exit(7)));
    stay();
    process.kill(process.pid, 'SIGTERM');
  },
  async exit() {
    await hand('exit');
    process.exit(3);
  },
  async error() {
    await hand('error');
    setImmediate(() => {
      throw new Error('a fault of the application');
    });
  },
  async rejection() {
    await hand('rejection');
    void Promise.reject(new Error('a fault of the application'));
    stay();
  },
  async thread() {
    if (!isMainThread) return hand('thread');
    return new Worker(new URL(import.meta.url), { workerData: [url, 'thread'] });
  },
  async 'thread-exit'() {
    if (isMainThread) return new Worker(new URL(import.meta.url), { workerData: [url, 'thread-exit'] });
    await hand('thread-exit');
    process.exit(0);
  },
  async cluster() {
    if (cluster.isPrimary) {
      cluster.setupPrimary({ args: [url, end] });
      for (let n = 0; n < 2; n += 1) cluster.fork({ NAME: `cluster-${n}` }).on('message', (_) => cluster.disconnect());
      return;
    }
    await hand(process.env['NAME'] ?? '');
    if (process.env['NAME'] === 'cluster-1') process.send?.('done');
    stay();
    process.on('disconnect', () => process.exit(0));
  },
  async many() {
    for (let n = 0; n < 20; n += 1) await hand(`many-${n}`);
  },
  async 'per-invocation'() {
    const evidence = await hand('per-invocation');
    await evidence.flush();
    process.kill(process.pid, 'SIGKILL');
  },
};

await ENDS[end]?.();
