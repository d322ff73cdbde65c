import { expect, it } from '@jest/globals';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { countExports } from './count-exports.ts';

it('spans that cannot be exported are counted, and it is said when they can be again', async () => {
  const codes = [0, 1, 1, 0, 0, 1, 0];
  const told: string[] = [];
  const exporter: SpanExporter = {
    export: (_, done) => done({ code: codes.shift() ?? 0 }),
    shutdown: () => Promise.resolve(void told.push('shut down')),
  };
  const counted = countExports(exporter, {
    onLost: (spans, isFirst) => void told.push(`lost ${spans}${isFirst ? ', the first' : ''}`),
    onAgain: (lost) => void told.push(`again after ${lost}`),
  });
  const results: number[] = [];
  for (let n = 1; n <= 7; n++)
    counted.export(new Array<ReadableSpan>(n).fill({} as ReadableSpan), ({ code }) => void results.push(code));
  await counted.shutdown();
  expect(results).toEqual([0, 1, 1, 0, 0, 1, 0]);
  expect(told).toEqual([
    'lost 2, the first',
    'lost 3',
    'again after 5',
    'lost 6, the first',
    'again after 6',
    'shut down',
  ]);
});
