/**
 * The health check of the image. Healthy is what serves (`/readyz`). A process that takes connections and says nothing
 * at all for a minute hangs: it is killed, so that the container ends, and its restart policy starts it again.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Checks in a row without a response, 5 s apart and 3 s each, after which a process is given up. */
const SILENT_MAX = 8;
const TIMEOUT_MS = 3_000;
const port = process.env.SERVICE_METRICS_PORT ?? '9464';
const counted = join(tmpdir(), 'answer-evidence-silent-checks');

/** The status of a path; 0 where nobody listens yet or any more, undefined where nobody responds. */
async function ask(path) {
  try {
    return (await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(TIMEOUT_MS) })).status;
  } catch (error) {
    return error.name === 'TimeoutError' ? undefined : 0;
  }
}

const status = await ask('/livez');
if (status !== undefined) {
  await rm(counted, { force: true });
  process.exitCode = status === 200 && (await ask('/readyz')) === 200 ? 0 : 1;
} else {
  const silent = Number(await readFile(counted, 'utf8').catch(() => '0')) + 1;
  await writeFile(counted, String(silent));
  console.log(`no response within ${TIMEOUT_MS} ms, ${silent} times in a row`);
  process.exitCode = 1;
  if (silent >= SILENT_MAX) {
    await rm(counted, { force: true });
    // Everything of this container but its first process and this one. What was acknowledged is durable.
    process.kill(-1, 'SIGKILL');
  }
}
