import { formatTerminalText } from './terminal-text.ts';

/** What may stand in a cell; null is shown as a dash. */
export type Cell = string | number | boolean | null;

/** A table for people: the head, the rows, columns padded, one line a row. */
export function formatTable(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [head.map((title) => title.toUpperCase()), ...rows.map((row) => row.map(formatCell))];
  const widths = head.map((_, column) => widest(lines.map((line) => line[column] ?? '')));
  return lines.map((line) => formatLine(line, widths)).join('');
}

/** One thing for people: a line a field, names padded. */
export function formatFields(fields: readonly (readonly [name: string, value: Cell])[]): string {
  const width = widest(fields.map(([name]) => name));
  return fields.map(([name, value]) => formatLine([name, formatCell(value)], [width, 0])).join('');
}

function formatLine(cells: readonly string[], widths: readonly number[]): string {
  const padded = cells.map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - measure(cell))));
  return `${padded.join('  ').trimEnd()}\n`;
}

function formatCell(value: Cell): string {
  return value === null ? '-' : formatTerminalText(String(value));
}

function widest(texts: readonly string[]): number {
  return texts.reduce((width, text) => Math.max(width, measure(text)), 0);
}

function measure(text: string): number {
  return [...text].length;
}
