import { describe, expect, it } from '@jest/globals';
import { formatPlot } from './format-plot.ts';
import type { GrowthFigures, LogPoint } from './growth-figures.ts';

const POINT: LogPoint = {
  leaves: 10_000,
  createsPerSecond: 1_000,
  createP50Ms: 2,
  createP99Ms: 9,
  proofMs: 3,
  listMs: 4,
  verifyMs: 5,
  checkPerSecond: 6_000,
  checkMemoryMiB: 200,
  serviceMemoryMiB: 300,
  databaseMiB: 40,
};
const FIGURES: GrowthFigures = {
  machine: 'a machine',
  load: 'nothing else',
  log: [POINT, { ...POINT, leaves: 100_000, createsPerSecond: 900 }],
  workspaces: [],
};

describe('formatPlot', () => {
  it('draws a curve of each figure that was measured, in numbers alone', () => {
    const svg = formatPlot(FIGURES);
    expect(svg.match(/<polyline/g)).toHaveLength(7);
    expect(svg.match(/<circle/g)).toHaveLength(14);
    expect(svg).toContain('>100k</text>');
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  });

  it('places a larger value above a smaller one, and a larger size to the right', () => {
    const [, points = ''] = /points="([^"]+)"/.exec(formatPlot(FIGURES)) ?? [];
    const [[x1, y1] = [], [x2, y2] = []] = points.split(' ').map((point) => point.split(',').map(Number));
    expect(x1).toBeLessThan(x2 ?? 0);
    expect(y1).toBeLessThan(y2 ?? 0);
  });

  it('draws figures of one size, and of nothing', () => {
    expect(formatPlot({ ...FIGURES, log: [POINT] })).not.toMatch(/NaN|Infinity/);
    expect(formatPlot({ ...FIGURES, log: [{ ...POINT, proofMs: 0 }] })).not.toMatch(/NaN|Infinity/);
    expect(formatPlot({ ...FIGURES, log: [] })).toContain('<svg');
  });
});
