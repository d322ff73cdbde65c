import { type CsvOptions, ServiceError } from '@answer-evidence/contracts';

/** How a CSV file is written: what comes before its header, and how long its cells may be. */
export type CsvStyle = { readonly start: string; readonly cellLengthMax: number };

const OPTIONS = ['bom', 'cell_length_max'] as const;

/** What a query says about CSV. Throws `schema_violation` where it asks for another format. */
export function readCsvStyle(format: string | undefined, options: CsvOptions): CsvStyle {
  const given = OPTIONS.filter((name) => options[name] !== undefined);
  if (format !== 'csv' && given.length > 0) {
    const errors = given.map((name) => ({ pointer: `?${name}`, detail: 'is for format=csv only; leave it out' }));
    throw new ServiceError('schema_violation', 'the query is invalid', { errors });
  }
  return { start: options.bom === 'true' ? '\uFEFF' : '', cellLengthMax: options.cell_length_max ?? Infinity };
}
