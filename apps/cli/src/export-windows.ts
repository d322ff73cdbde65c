import { ApiError, type ExportFilters, type RecordsApi } from '@answer-evidence/client';
import type { CsvOptions, RevealRequest } from '@answer-evidence/contracts';

/** One request's part of a long export. */
type ExportWindow = {
  /** Ready to be appended to what came before: only the first CSV part has the line of names. */
  readonly content: Uint8Array;
  /** Records delivered so far, this part included. */
  readonly delivered: number;
  /** Records of the whole export, as far as the service said. */
  readonly matching: number | null;
  readonly nextCreatedAfter: string | null;
};

const LINE_FEED = 0x0a;

/** A long export in bounded requests, each from the first record that the one before did not deliver. */
export async function* exportWindows(
  records: Pick<RecordsApi, 'export'>,
  format: 'jsonl' | 'csv',
  filters: ExportFilters,
  { bom, ...csv }: CsvOptions = {},
  reason?: RevealRequest,
): AsyncGenerator<ExportWindow, void, void> {
  let createdAfter: string | null = null;
  let matching: number | null = null;
  let delivered = 0;
  for (;;) {
    const isFirst = createdAfter === null;
    // The mark is only before the first part.
    const part = await records.export(
      format,
      createdAfter === null ? filters : { ...filters, created_after: createdAfter },
      isFirst ? { bom, ...csv } : csv,
      reason,
    );
    matching ??= part.matching;
    delivered += countRows(part.content, format);
    const next = part.isTruncated ? part.nextCreatedAfter : null;
    const content = isFirst || format === 'jsonl' ? part.content : cutFirstLine(part.content);
    yield { content, delivered, matching, nextCreatedAfter: next };
    if (next === null) return;
    // Times of the service are of one width, so they compare as text; a host that goes back would never end.
    if (createdAfter !== null && next <= createdAfter)
      throw new ApiError(200, 'the export made no progress: the service returned the same position twice');
    createdAfter = next;
  }
}

/** The line of names holds neither quotes nor line breaks. */
function cutFirstLine(content: Uint8Array): Uint8Array {
  const end = content.indexOf(LINE_FEED);
  return end < 0 ? new Uint8Array() : content.subarray(end + 1);
}

/** Rows of a part. A line break inside a quoted CSV cell is not one. */
function countRows(content: Uint8Array, format: 'jsonl' | 'csv'): number {
  let rows = 0;
  let isQuoted = false;
  for (const byte of content) {
    if (byte === 0x22 && format === 'csv') isQuoted = !isQuoted;
    else if (byte === LINE_FEED && !isQuoted) rows++;
  }
  return format === 'csv' ? Math.max(0, rows - 1) : rows;
}
