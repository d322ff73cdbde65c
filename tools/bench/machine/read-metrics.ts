import { createServer } from 'node:net';

/** How a process does, from its metrics. */
type ProcessState = {
  readonly residentBytes: number;
  readonly heapBytes: number;
  /** Of buffers, which are outside of the heap. */
  readonly bufferBytes: number;
  /** The longest time that its event loop had for nothing else, since these were last read. */
  readonly loopMaxMs: number;
};

/** Reads the metrics of the service at this port of 127.0.0.1. */
export async function readProcessState(port: number): Promise<ProcessState> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  const text = await response.text();
  function valueOf(name: string): number {
    const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1];
    if (value === undefined) throw new Error(`the service has no metric ${name}`);
    return Number(value);
  }
  return {
    residentBytes: valueOf('process_resident_memory_bytes'),
    heapBytes: valueOf('nodejs_heap_size_total_bytes'),
    bufferBytes: valueOf('nodejs_external_memory_bytes'),
    loopMaxMs: valueOf('nodejs_eventloop_lag_max_seconds') * 1_000,
  };
}

/** A port of 127.0.0.1 that is free for now. */
export async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => void server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('a server without a port');
  return address.port;
}
