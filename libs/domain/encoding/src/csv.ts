/** Characters that make a spreadsheet run a cell as a formula, or skip to what follows. */
const FORMULA = /^[=+\-@\t\r\n]/;

/** One line of RFC 4180, CRLF-ended; a cell that a spreadsheet would run is defused by `'`. */
export function formatCsvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => quote(FORMULA.test(cell) ? `'${cell}` : cell)).join(',')}\r\n`;
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
