import '../help/before-run.ts';
import { measureEvidence } from './measurements/evidence-memory.ts';
import { openService } from './service/open-service.ts';

const MIB = 1024 * 1024;

// A program of its own: it needs neither wrk nor pgbench, and its figure is a size and no rate.
const service = await openService();
try {
  const progress = (line: string) => void process.stderr.write(`${line}\n`);
  const { sizeBytes, idleBytes, uploadPeakBytes, downloadPeakBytes, rangeMs } = await measureEvidence(
    service,
    progress,
  );
  const over = (peak: number) => `${Math.round((peak - idleBytes) / MIB)} MiB over idle`;
  process.stdout.write(
    `${sizeBytes / MIB} MiB; idle ${Math.round(idleBytes / MIB)} MiB; uploading ${over(uploadPeakBytes)}; ` +
      `downloading ${over(downloadPeakBytes)}; 64 KiB out of the middle in ${rangeMs.toFixed(1)} ms\n`,
  );
} finally {
  await service.close();
}
