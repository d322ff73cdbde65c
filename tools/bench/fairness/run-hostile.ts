import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import * as z from 'zod';

/** What a load came to. */
const outcome = z.object({ statuses: z.record(z.string(), z.number()), cores: z.number() });
type HostileOutcome = z.infer<typeof outcome>;

/** A hostile load on its way. */
type HostileRun = {
  /** Sends nothing more, waits for what is on its way, and says what came of it. */
  stop(): Promise<HostileOutcome>;
};

const program = new URL('hostile-program.ts', import.meta.url);

/** Starts a load in a process of its own; resolves when it sends. */
export async function startHostile(
  number: number,
  target: { readonly baseUrl: string; readonly recordId: string; readonly token: string },
): Promise<HostileRun> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', program.pathname, String(number), target.baseUrl, target.recordId],
    { env: { ...process.env, BENCH_TOKEN: target.token }, stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const first = await lines.next();
  if (first.value !== 'sending') throw new Error('a load did not start');
  return {
    async stop() {
      child.stdin.write('end\n');
      const last = await lines.next();
      return outcome.parse(JSON.parse(String(last.value)));
    },
  };
}
