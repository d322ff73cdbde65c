import type { Client, ExportFilters, RecordExport } from '@answer-evidence/client';
import type { CsvOptions, RevealRequest } from '@answer-evidence/contracts';
import { saveFile } from './save-file.ts';

/** Exports what matches and saves it. Returns what of it was left out. */
export async function saveExport(
  client: Client,
  format: 'csv' | 'jsonl',
  filters: ExportFilters,
  csv?: CsvOptions,
  reason?: RevealRequest,
): Promise<Omit<RecordExport, 'content'>> {
  const { content, ...left } = await client.records.export(format, filters, csv, reason);
  saveFile(`records.${format}`, format === 'csv' ? 'text/csv' : 'application/jsonl', [content]);
  return left;
}

/** Saves an evidence pack. */
export function savePack(file: Uint8Array): void {
  saveFile('evidence-pack.html', 'text/html', [file]);
}
