import { runCli } from '../run-cli.ts';
import { type FakeReply, type FakeRoutes, openFakeHost, type SeenRequest } from './fake-host.ts';
import { createMemoryIo, type MemoryWorld } from './memory-io.ts';

/** The token of every transcript; no transcript may show it. */
export const TOKEN = 'aeu_0199f3c2_the-secret-of-the-caller';

/** What one command line did. */
type Transcript = {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly files: ReadonlyMap<string, string>;
  readonly modes: ReadonlyMap<string, number>;
  readonly calls: readonly SeenRequest[];
  readonly seen: readonly SeenRequest[];
};

/** Runs one command line against a fake host that answers with these routes. */
export async function runTranscript(
  argv: readonly string[],
  routes: FakeRoutes = {},
  world: MemoryWorld & { readonly host?: FakeReply } = {},
): Promise<Transcript> {
  const host = await openFakeHost(routes, world.host);
  const env = { SERVICE_REGISTRY: host.url, SERVICE_TOKEN: TOKEN, ...world.env };
  const memory = createMemoryIo({ ...world, env });
  try {
    const exitCode = await runCli(argv, memory.io);
    const { files, modes } = memory;
    const written = { stdout: memory.stdout(), stderr: memory.stderr() };
    return { exitCode, ...written, files, modes, calls: host.calls(), seen: host.seen };
  } finally {
    await host.close();
  }
}
