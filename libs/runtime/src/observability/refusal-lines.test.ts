import { expect, it } from '@jest/globals';
import { createRefusalLines } from './refusal-lines.ts';

const MINUTE = 60_000_000;

function createLines() {
  const told: string[] = [];
  let now = 0;
  const note = createRefusalLines((sentence) => void told.push(sentence), { nowMicros: () => now });
  return { told, note, wait: (micros: number) => void (now += micros) };
}

it('a refusal is told at once, and then once per minute with how many there were', () => {
  const { told, note, wait } = createLines();
  note('w', 'no trace', 1);
  note('w', 'no trace', 2);
  wait(MINUTE - 1);
  note('w', 'no trace', 3);
  expect(told).toEqual(['OpenTelemetry items of workspace w were refused (1): no trace']);
  wait(1);
  note('w', 'no trace', 4);
  expect(told.slice(1)).toEqual(['OpenTelemetry items of workspace w were refused (9): no trace']);
});

it('however many reasons one workspace has, it takes some lines per minute, and those of others are told', () => {
  const { told, note } = createLines();
  note('theirs', 'no trace', 1);
  for (let n = 0; n < 5_000; n++) note('ours', `reason ${n}`, 1);
  note('theirs', 'no trace', 1);
  note('theirs', 'no span', 1);
  expect(told.filter((line) => line.includes('workspace ours'))).toHaveLength(21);
  expect(told.filter((line) => line.includes('workspace theirs'))).toEqual([
    'OpenTelemetry items of workspace theirs were refused (1): no trace',
    'OpenTelemetry items of workspace theirs were refused (1): no span',
  ]);
});
