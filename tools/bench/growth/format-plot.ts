import type { GrowthFigures } from './growth-figures.ts';

const WIDTH = 300;
const HEIGHT = 190;
const LEFT = 58;
const RIGHT = 16;
const TOP = 34;
const BOTTOM = 34;
const COLUMNS = 3;
const TICKS = 4;

/** One curve: what it shows, and its points by the size that the figure grows with. */
type Chart = {
  readonly title: string;
  readonly across: string;
  readonly points: readonly (readonly [number, number])[];
};

/** The measured curves as one SVG: sizes by powers of ten, values from zero. */
export function formatPlot({ log, workspaces }: GrowthFigures): string {
  const ofLog = (title: string, valueOf: (point: GrowthFigures['log'][number]) => number): Chart => ({
    title,
    across: 'leaves',
    points: log.map((point) => [point.leaves, valueOf(point)]),
  });
  const ofWorkspaces = (title: string, valueOf: (point: GrowthFigures['workspaces'][number]) => number): Chart => ({
    title,
    across: 'workspaces',
    points: workspaces.map((point) => [point.workspaces, valueOf(point)]),
  });
  const charts = [
    ofLog('creates per second', ({ createsPerSecond }) => createsPerSecond),
    ofLog('create at 100/s, p99, ms', ({ createP99Ms }) => createP99Ms),
    ofLog('proof, ms', ({ proofMs }) => proofMs),
    ofLog('list, ms', ({ listMs }) => listMs),
    ofLog('verify, ms', ({ verifyMs }) => verifyMs),
    ofLog('ledger check, entries per second', ({ checkPerSecond }) => checkPerSecond),
    ofLog('memory of a ledger check, MiB', ({ checkMemoryMiB }) => checkMemoryMiB),
    ofWorkspaces('create at 50/s, p99, ms', ({ createP99Ms }) => createP99Ms),
    ofWorkspaces('memory of the service, MiB', ({ serviceMemoryMiB }) => serviceMemoryMiB.at(-1) ?? 0),
  ].filter(({ points }) => points.length > 0);
  const rows = Math.ceil(charts.length / COLUMNS);
  const drawn = charts.map(
    (chart, n) =>
      `<g transform="translate(${(n % COLUMNS) * WIDTH} ${Math.floor(n / COLUMNS) * HEIGHT})">${drawChart(chart)}</g>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${COLUMNS * WIDTH} ${rows * HEIGHT}" role="img"`,
    ' font-family="sans-serif" font-size="11" fill="#333">',
    '<title>How the service grows</title>',
    `<rect width="100%" height="100%" fill="#fff"/>`,
    ...drawn,
    '</svg>',
    '',
  ].join('\n');
}

function drawChart({ across, points, title }: Chart): string {
  const sizes = points.map(([size]) => Math.log10(size));
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  const top = roundUp(Math.max(...points.map(([, value]) => value)));
  const x = (size: number) =>
    LEFT + (most === least ? 0.5 : (Math.log10(size) - least) / (most - least)) * (WIDTH - LEFT - RIGHT);
  const y = (value: number) => HEIGHT - BOTTOM - (value / top) * (HEIGHT - TOP - BOTTOM);
  const ticks = Array.from({ length: TICKS + 1 }, (_, n) => (top * n) / TICKS);
  return [
    `<text x="${LEFT}" y="20" font-weight="bold">${title}</text>`,
    ...ticks.map(
      (tick) =>
        `<path d="M${LEFT} ${fixed(y(tick))}H${WIDTH - RIGHT}" stroke="#ddd"/>` +
        `<text x="${LEFT - 6}" y="${fixed(y(tick) + 4)}" text-anchor="end">${formatNumber(tick)}</text>`,
    ),
    ...points.map(
      ([size]) => `<text x="${fixed(x(size))}" y="${HEIGHT - 16}" text-anchor="middle">${formatNumber(size)}</text>`,
    ),
    `<text x="${WIDTH - RIGHT}" y="${HEIGHT - 4}" text-anchor="end" fill="#777">${across}</text>`,
    `<polyline points="${points.map(([size, value]) => `${fixed(x(size))},${fixed(y(value))}`).join(' ')}" fill="none" stroke="#0b62a8" stroke-width="2"/>`,
    ...points.map(([size, value]) => `<circle cx="${fixed(x(size))}" cy="${fixed(y(value))}" r="3" fill="#0b62a8"/>`),
  ].join('');
}

/** The next number of the form 1, 2, 2.5 or 5 times a power of ten. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1e-9)));
  return [1, 2, 2.5, 5, 10].map((step) => step * power).find((step) => step >= value) ?? value;
}

function formatNumber(value: number): string {
  if (value >= 1_000_000) return `${value / 1_000_000}M`;
  if (value >= 1_000) return `${value / 1_000}k`;
  return String(Math.round(value * 1_000) / 1_000);
}

function fixed(value: number): string {
  return value.toFixed(1);
}
