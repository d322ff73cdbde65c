import { formatCsvLine } from '@answer-evidence/encoding';
import type { Io } from '../io.ts';
import { UsageError } from '../usage-error.ts';
import { asTable, type Block, type Cell, findTable, type Table } from './blocks.ts';
import { choosePaint, type ColorChoice } from './paint.ts';
import { renderBlocks } from './render-blocks.ts';
import { formatJsonLine, formatJsonText, formatTerminalText } from './terminal-text.ts';

/** A result: for programs, and for people. */
export type View = {
  /** The result for programs. A list has its things in the member `items`. */
  readonly json: unknown;
  readonly blocks: () => readonly Block[] | Block;
  /** What `--quiet` prints, a line each; default: the ids of the result. */
  readonly quiet?: readonly string[];
  /** The columns that `--columns` asks for. */
  readonly columns?: readonly string[] | undefined;
};

/** The forms of a result. */
export const OUTPUTS = ['table', 'json', 'jsonl', 'csv'] as const;

/** How a result is asked for. */
export type OutputOptions = {
  readonly output: (typeof OUTPUTS)[number];
  readonly quiet?: true;
  readonly color: ColorChoice;
};

/** Writes a result in the form that was asked for. Throws `UsageError` for a form that it does not have. */
export function showView(io: Io, view: View, options: OutputOptions): void {
  io.stdout.write(options.quiet === true ? formatIds(view) : FORMATS[options.output](view, io, options));
}

const FORMATS: Readonly<Record<OutputOptions['output'], (view: View, io: Io, options: OutputOptions) => string>> = {
  json: (view) => formatJsonText(assertNoColumns(view).json),
  jsonl: (view) => thingsOf(assertNoColumns(view).json).map(formatJsonLine).join(''),
  csv(view) {
    const { head, rows } = chooseTable(view);
    const cells = (row: readonly Cell[]) => row.map((cell) => (cell === null ? '' : textOrExact(cell)));
    return [[...head], ...rows.map(cells)].map((line) => formatCsvLine(line)).join('');
  },
  table(view, io, { color }) {
    const { isTerminal, columns } = io.stdout;
    const screen = { paint: choosePaint(io, color), width: columns, now: isTerminal ? io.now() : undefined };
    return renderBlocks(view.columns === undefined ? blocksOf(view) : [chooseTable(view)], screen);
  },
};

function textOrExact(cell: string | number | boolean): string | { readonly exact: string } {
  return typeof cell === 'string' ? cell : { exact: String(cell) };
}

function blocksOf(view: View): readonly Block[] {
  return [view.blocks()].flat();
}

/** The things of a list, or the one thing that a result is. */
function thingsOf(json: unknown): readonly unknown[] {
  return isObject(json) && Array.isArray(json['items']) ? json['items'] : [json];
}

function formatIds({ json, quiet }: View): string {
  const ids =
    quiet ?? thingsOf(json).flatMap((thing) => (isObject(thing) && 'id' in thing ? [String(thing['id'])] : []));
  return ids.map((id) => `${formatTerminalText(id)}\n`).join('');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function assertNoColumns(view: View): View {
  if (view.columns !== undefined) throw new UsageError('--columns is for --output table and csv');
  return view;
}

/** The result as one table with the columns that were asked for. */
function chooseTable(view: View): Table {
  const table = findTable(blocksOf(view));
  if (table === undefined) throw new UsageError('this result is no table: use --output json');
  if (view.columns === undefined) return table;
  const names = table.head.map(nameOf);
  const chosen = view.columns.map((column) => {
    const index = names.indexOf(nameOf(column));
    if (index < 0) throw new UsageError(`--columns: ${column} is unknown; the columns are ${names.join(', ')}`);
    return index;
  });
  return asTable(
    chosen.map((index) => table.head[index] ?? ''),
    table.rows.map((row) => chosen.map((index) => row[index] ?? null)),
  );
}

/** The name by which `--columns` asks for a column: `idempotency_key` for `idempotency key`. */
function nameOf(title: string): string {
  return title
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
}
