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

/** The batches that a process has written so far. */
export type WrittenBatches = {
  readonly batches: number;
  readonly requests: number;
  readonly mispredictions: number;
  /** Those that waited for the lock of the head, and how long all of them did. */
  readonly lockedBatches: number;
  readonly lockSeconds: number;
};

/** Reads the metrics of the service at this port of 127.0.0.1. */
export async function readProcessState(port: number): Promise<ProcessState> {
  const valueOf = await readMetrics(port);
  return {
    residentBytes: valueOf('process_resident_memory_bytes'),
    heapBytes: valueOf('nodejs_heap_size_total_bytes'),
    bufferBytes: valueOf('nodejs_external_memory_bytes'),
    loopMaxMs: valueOf('nodejs_eventloop_lag_max_seconds') * 1_000,
  };
}

/** Reads what the service at this port of 127.0.0.1 counts of its batches. */
export async function readBatches(port: number): Promise<WrittenBatches> {
  const valueOf = await readMetrics(port);
  return {
    batches: valueOf('ledger_batch_requests_count'),
    requests: valueOf('ledger_batch_requests_sum'),
    mispredictions: valueOf('ledger_mispredictions_total'),
    lockedBatches: valueOf('ledger_head_lock_seconds_count'),
    lockSeconds: valueOf('ledger_head_lock_seconds_sum'),
  };
}

async function readMetrics(port: number): Promise<(name: string) => number> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  const text = await response.text();
  return (name) => {
    const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1];
    if (value === undefined) throw new Error(`the service has no metric ${name}`);
    return Number(value);
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
