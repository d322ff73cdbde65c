import { createHash, randomFillSync } from 'node:crypto';
import { evidenceAsset } from '@answer-evidence/contracts';
import { readResident } from '../machine/read-resident.ts';
import { APPLICATION_KEY } from '../service/create-body.ts';
import type { BenchService } from '../service/open-service.ts';

/** What evidence of that size cost the service in memory. */
type EvidenceMemory = {
  readonly sizeBytes: number;
  /** Resident memory of the service's process, before and at its largest meanwhile. */
  readonly idleBytes: number;
  readonly uploadPeakBytes: number;
  readonly downloadPeakBytes: number;
  /** Until a small range in the middle was there. */
  readonly rangeMs: number;
};

const SIZE_BYTES = 1024 ** 3;
const PIECE_BYTES = 1024 ** 2;
const SAMPLE_MS = 50;
const RANGE = { offset: SIZE_BYTES / 2 + 12_345, length: 65_536 };

/** Uploads and downloads 1 GiB over HTTP, watching the service's memory. Throws when a byte comes back changed. */
export async function measureEvidence(
  service: BenchService,
  progress: (line: string) => void,
): Promise<EvidenceMemory> {
  // Once small, so that code and connections are there.
  await upload(service, 3 * PIECE_BYTES);
  const idleBytes = await readResident(service.pid);
  progress(`idle: ${idleBytes} bytes; uploading`);
  const uploading = watchResident(service.pid);
  const { id, sha256 } = await upload(service, SIZE_BYTES);
  const uploadPeakBytes = await uploading.peak();
  progress(`uploaded, at most ${uploadPeakBytes} bytes; downloading`);
  const downloading = watchResident(service.pid);
  const hash = createHash('sha256');
  for await (const piece of await download(service, id, {})) hash.update(piece);
  const downloadPeakBytes = await downloading.peak();
  if (hash.digest('hex') !== sha256) throw new Error('other bytes came back');
  const startMs = performance.now();
  let rangeBytes = 0;
  for await (const piece of await download(service, id, { range: RANGE })) rangeBytes += piece.length;
  if (rangeBytes !== RANGE.length) throw new Error('another range came back');
  return { sizeBytes: SIZE_BYTES, idleBytes, uploadPeakBytes, downloadPeakBytes, rangeMs: performance.now() - startMs };
}

async function upload(
  service: BenchService,
  sizeBytes: number,
): Promise<{ readonly id: string; readonly sha256: string }> {
  const hash = createHash('sha256');
  const boundary = 'limit-of-the-bench';
  async function* form(): AsyncGenerator<Uint8Array> {
    const metadata = JSON.stringify({ application_key: APPLICATION_KEY });
    const disposition = `--${boundary}\r\nContent-Disposition: form-data; name=`;
    yield Buffer.from(
      `${disposition}"metadata"\r\n\r\n${metadata}\r\n${disposition}"file"; filename="bench.bin"\r\n\r\n`,
    );
    for (let at = 0; at < sizeBytes; at += PIECE_BYTES) {
      const piece = randomFillSync(new Uint8Array(PIECE_BYTES));
      hash.update(piece);
      yield await Promise.resolve(piece);
    }
    yield Buffer.from(`\r\n--${boundary}--\r\n`);
  }
  const response = await fetch(`${service.baseUrl}/api/evidence-assets`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${service.managerToken}`,
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
    },
    // Node takes an async iterable for a body.
    body: form() as unknown as ReadableStream<Uint8Array>,
    duplex: 'half',
  } as RequestInit);
  if (response.status !== 201) throw new Error(`the upload was answered with ${response.status}`);
  const { id, content_hash: kept } = evidenceAsset.parse(await response.json());
  const sha256 = hash.digest('hex');
  if (kept !== `sha256:${sha256}`) throw new Error('other bytes were kept');
  return { id, sha256 };
}

async function download(service: BenchService, id: string, body: object): Promise<AsyncIterable<Uint8Array>> {
  const response = await fetch(`${service.baseUrl}/api/evidence-assets/${id}/download`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${service.managerToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok || response.body === null) throw new Error(`the download was answered with ${response.status}`);
  return response.body;
}

/** Samples it until asked for the largest. */
function watchResident(pid: number): { peak(): Promise<number> } {
  let largest = 0;
  let failure: Error | undefined;
  const sampling = setInterval(() => {
    readResident(pid).then(
      (bytes) => (largest = Math.max(largest, bytes)),
      (cause: unknown) => (failure = new Error('the memory cannot be read', { cause })),
    );
  }, SAMPLE_MS);
  return {
    async peak() {
      clearInterval(sampling);
      if (failure !== undefined) throw failure;
      return Math.max(largest, await readResident(pid));
    },
  };
}
