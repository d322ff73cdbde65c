import type { Costs } from './costs.ts';
import { type Figure, type Result, spreadOf } from './figures.ts';
import type { Machine } from './machine/describe-machine.ts';

/** The machine, a table of the results, and one of what requests cost, as text. */
export function formatReport(machine: Machine, results: readonly Result[], costs: readonly Costs[]): string {
  const { cores, cpu, memoryGigabytes, node, postgres, onDisk } = machine;
  const head = `${cores} cores of ${cpu}, ${memoryGigabytes} GB; Node ${node}; PostgreSQL ${postgres}`;
  const warning = onDisk ? [] : ['The temporary folder is in memory: set TMPDIR to a folder on a disk.'];
  const rows = results.map((result) => [
    String(result.number),
    result.work,
    formatFigure(result.measured),
    result.against === null ? '' : formatFigure(result.against),
    result.ratio === null ? '' : result.ratio.toFixed(2),
    result.target,
    result.holds === null ? '' : result.holds ? 'yes' : 'NO',
  ]);
  const table = formatTable([HEADINGS, ...rows]);
  return [head, ...warning, '', ...table, ...formatCosts(costs), ...warnOfSpread(results)].join('\n');
}

/** What a request costs in processor time. Rates of a shared machine vary by far more. */
function formatCosts(costs: readonly Costs[]): readonly string[] {
  if (costs.length === 0) return [];
  const rows = costs.map(({ work, mainThread, otherThreads, postgres, idle }) => [
    work,
    ...[mainThread, otherThreads, postgres].map(({ median }) => `${median.toFixed(1)} µs`),
    `${idle.median.toFixed(0)} %`,
  ]);
  return ['', ...formatTable([COST_HEADINGS, ...rows])];
}

/** Figures of a machine that does something else meanwhile are worth little; their rounds then differ. */
function warnOfSpread(results: readonly Result[]): readonly string[] {
  const figures = results.flatMap(({ measured, against }) => (against === null ? [measured] : [measured, against]));
  // What is nothing in the median, such as idle time, has no spread as a part of it.
  const widest = Math.max(0, ...figures.flatMap((one) => (one.median === 0 ? [] : spreadOf(one.rounds))));
  if (widest <= SPREAD_MAX) return [];
  const percent = Math.round(widest * 100);
  return [
    '',
    `Rounds of one figure differ by up to ${percent} % of its median: measure again on a machine that is idle.`,
  ];
}

/** Rounds on an idle machine stay within about 15 % either way. */
const SPREAD_MAX = 0.3;
const HEADINGS = ['', 'work', 'measured', 'against', 'ratio', 'target', 'holds'];
const COST_HEADINGS = ['processor time per request', 'main thread', 'other threads', 'PostgreSQL', 'idle cores'];

function formatFigure({ name, unit, median }: Figure): string {
  const value = unit === 'ms' ? `${median.toFixed(2)} ms` : `${Math.round(median)}${unit}`;
  return `${name} ${value}`;
}

function formatTable(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
