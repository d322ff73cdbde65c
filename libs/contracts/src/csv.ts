import * as z from 'zod';
import { decimal } from './pages.ts';

/** Most characters that a cell of a spreadsheet holds: Excel moves the others into the next rows. */
export const SPREADSHEET_CELL_LENGTH_MAX = 32_767;
/** The shortest limit that can be asked for: what says that a cell was cut needs room. */
const CELL_LENGTH_MIN = 100;
const CELL_LENGTH_MAX = 1_000_000_000;

/** The part of a query that says how a CSV file is written. */
export const csvQuery = z.strictObject({
  /** `true`: the file begins with U+FEFF, by which Excel knows UTF-8. */
  bom: z.enum(['true', 'false']).optional(),
  /** Cells of more UTF-16 code units are cut, and say so. */
  cell_length_max: decimal(CELL_LENGTH_MIN, CELL_LENGTH_MAX).optional(),
});
/** How a CSV file is written; left out: without a mark before it, and with whole cells. */
export type CsvOptions = z.infer<typeof csvQuery>;

/** What a spreadsheet needs of a CSV file. */
export const SPREADSHEET_CSV: CsvOptions = { bom: 'true', cell_length_max: SPREADSHEET_CELL_LENGTH_MAX };
