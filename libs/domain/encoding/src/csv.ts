/**
 * A cell of CSV: a text that somebody chose, the text of a JSON value, or an exact text that nobody outside chose. The
 * first two are changed where a spreadsheet would run a part of them as a formula.
 */
export type CsvCell = string | { readonly json: string } | { readonly exact: string };

/** What begins a formula in Excel, LibreOffice or Sheets, also in forms that they take for it in some languages. */
const FORMULA = '[=+\\-@＝＋－＠﹦﹢﹣﹫⁼⁺⁻₌₊₋−ー]';
/** What a spreadsheet may pass over before a formula, or split at. */
const GAP = '[\\s\\p{Cc}\\p{Cf}";|]';
/** What begins a cell where the list separator is not a comma, as in most of Europe; quotes then mean nothing. */
const SEPARATOR = /[;|\t\r\n\v\f\u0085\u2028\u2029]/;

const RUNS_AT_START = new RegExp(`^(?:[\\t\\r\\n]|${GAP}*${FORMULA})`, 'u');
/** A gap is tried once, from its beginning: a long one would otherwise be tried from each of its characters. */
const BEFORE_FORMULA = new RegExp(`(?<!${GAP})(${GAP}+)(${FORMULA})`, 'gu');

/**
 * One line of RFC 4180, ended by CRLF. A text that a spreadsheet would run is defused by `'`, JSON by an escape. A cell
 * of more UTF-16 code units than `lengthMax` is cut, and ends by saying so.
 */
export function formatCsvLine(cells: readonly CsvCell[], lengthMax = Infinity): string {
  return `${cells.map((cell) => quote(cut(formatCell(cell), lengthMax))).join(',')}\r\n`;
}

function formatCell(cell: CsvCell): string {
  if (typeof cell === 'string') {
    const inner = defuse(cell, (sign) => `'${sign}`);
    return RUNS_AT_START.test(cell) ? `'${inner}` : inner;
  }
  // Outside of its strings, JSON has no separator before a sign.
  return 'json' in cell ? defuse(cell.json, escape) : cell.exact;
}

/** Never within a surrogate pair, whose half is no character. */
function cut(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  const end = ` [cut: ${text.length} characters]`;
  const kept = text.slice(0, lengthMax - end.length);
  return (/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept) + end;
}

function defuse(text: string, replace: (sign: string) => string): string {
  return text.replace(BEFORE_FORMULA, (found, gap: string, sign: string) =>
    SEPARATOR.test(gap) ? gap + replace(sign) : found,
  );
}

function escape(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
