import type { RecordSummary } from '@answer-evidence/contracts';
import type { Io } from './io.ts';
import { createProgress } from './progress.ts';

/** Every record of a list, with progress. */
export async function collectAll(io: Io, records: AsyncIterable<RecordSummary>): Promise<readonly RecordSummary[]> {
  const progress = createProgress(io);
  const items: RecordSummary[] = [];
  try {
    for await (const record of records) {
      items.push(record);
      if (items.length % 200 === 0) progress.update(`${items.length} records …`);
    }
  } finally {
    progress.end();
  }
  return items;
}
