import stringWidth from 'fast-string-width';
import type { Block, Cell, Checks, ShownCheck, Table } from './blocks.ts';
import { fitWidths, shorten } from './fit-widths.ts';
import { formatAge } from './format-age.ts';
import type { Paint } from './paint.ts';
import { formatTerminalText } from './terminal-text.ts';

/** Where a result is shown to people. */
type Screen = {
  readonly paint: Paint;
  /** Width of the terminal in columns; undefined: not a terminal, and nothing is shortened. */
  readonly width: number | undefined;
  /** What the clock says, in microseconds since 1970: times are shown as their age; undefined: as they are. */
  readonly now: number | undefined;
};

/** A result for people; an empty line stands between its parts. */
export function renderBlocks(blocks: readonly Block[], screen: Screen): string {
  return blocks.map((block) => renderBlock(block, screen)).join('\n');
}

function renderBlock(block: Block, screen: Screen): string {
  switch (block.kind) {
    case 'table':
      return renderTable(block, screen);
    case 'fields':
      return renderFields(block.fields, screen);
    case 'checks':
      return renderChecks(block, screen.paint);
    case 'line':
      return `${formatTerminalText(block.text)}\n`;
    case 'lines':
      return block.lines.map((line) => `${formatTerminalText(line)}\n`).join('');
  }
}

function renderTable({ head, rows }: Table, { paint, width, now }: Screen): string {
  const titles = head.map((title) => title.toUpperCase());
  const lines = rows.map((row) => row.map((cell) => formatCell(cell, now)));
  const natural = titles.map((title, column) =>
    [title, ...lines.map((line) => line[column] ?? '')].reduce((most, text) => Math.max(most, stringWidth(text)), 0),
  );
  const widths = width === undefined ? natural : fitWidths(natural, lines, width);
  return [formatLine(titles, widths, paint.head), ...lines.map((line) => formatLine(line, widths, paint.cell))].join(
    '',
  );
}

function renderFields(fields: readonly (readonly [string, Cell])[], { paint, now }: Screen): string {
  const width = fields.reduce((most, [name]) => Math.max(most, stringWidth(name)), 0);
  return fields
    .map(([name, value]) => {
      const text = formatCell(value, undefined);
      const age = now === undefined ? undefined : formatAge(text, now);
      return formatLine([name, age === undefined ? text : `${text} (${age})`], [width, 0], paint.cell);
    })
    .join('');
}

/** One line of cells. What stands in a cell decides its colour, before it is padded. */
function formatLine(cells: readonly string[], widths: readonly number[], paint: (text: string) => string): string {
  const last = cells.length - 1;
  const padded = cells.map((cell, column) => {
    const text = shorten(cell, widths[column] || Infinity);
    const gap = column === last ? 0 : Math.max(0, (widths[column] ?? 0) - stringWidth(text));
    return paint(text) + ' '.repeat(gap);
  });
  return `${padded.join('  ').trimEnd()}\n`;
}

function formatCell(value: Cell, now: number | undefined): string {
  if (value === null) return '-';
  const text = formatTerminalText(String(value));
  return (now === undefined ? undefined : formatAge(text, now)) ?? text;
}

function renderChecks({ checks, isSummary, language }: Checks, paint: Paint): string {
  const isFailed = ({ outcome }: ShownCheck) => outcome === 'FAIL';
  const shown = [
    ...checks.filter(isFailed),
    ...checks.filter((check) => !isFailed(check) && (!isSummary || check.outcome === 'SKIP')),
  ];
  return `${shown.map((check) => renderCheck(check, paint, LABELS[language])).join('')}${countOutcomes(checks)}\n`;
}

const OUTCOMES = ['PASS', 'FAIL', 'SKIP', 'NA'] as const;
const INDENT = ' '.repeat(6);

type Labels = Readonly<Record<'expected' | 'actual' | 'limit', string>>;
const LABELS: Readonly<Record<Checks['language'], Labels>> = {
  en: { expected: 'expected', actual: 'actual  ', limit: 'Limit' },
  de: { expected: 'erwartet   ', actual: 'tatsächlich', limit: 'Grenze' },
};

function renderCheck(check: ShownCheck, paint: Paint, labels: Labels): string {
  const compared =
    check.compared === null
      ? []
      : [`${labels.expected} ${check.compared.expected}`, `${labels.actual} ${check.compared.actual}`];
  const lines = [check.detail, ...compared, `${labels.limit}: ${check.does_not_prove}`];
  const head = `${paint.outcome(check.outcome)}${' '.repeat(6 - check.outcome.length)}${check.check}\n`;
  return head + lines.map((line) => `${INDENT}${formatTerminalText(line)}\n`).join('');
}

/** Counts, and the names of what was not decided: no verdict is drawn from several outcomes. */
function countOutcomes(checks: readonly ShownCheck[]): string {
  const counts = OUTCOMES.map((outcome) => {
    const names = checks.filter((check) => check.outcome === outcome).map(({ check }) => check);
    const undecided = outcome === 'SKIP' && names.length > 0 ? ` (${names.join(', ')})` : '';
    return `${names.length} ${outcome}${undecided}`;
  });
  return counts.join(', ');
}
