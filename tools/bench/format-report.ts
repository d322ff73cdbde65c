import type { Figure, Result } from './figures.ts';
import type { Machine } from './machine/describe-machine.ts';

/** The machine and a table of the results, as text. */
export function formatReport(machine: Machine, results: readonly Result[]): string {
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
  return [head, ...warning, '', ...formatTable([HEADINGS, ...rows])].join('\n');
}

const HEADINGS = ['', 'work', 'measured', 'against', 'ratio', 'target', 'holds'];

function formatFigure({ name, unit, median }: Figure): string {
  const value = unit === 'ms' ? `${median.toFixed(2)} ms` : `${Math.round(median)}${unit}`;
  return `${name} ${value}`;
}

function formatTable(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
