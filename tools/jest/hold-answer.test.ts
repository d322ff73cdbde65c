import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { expect, it } from '@jest/globals';
import { holdAnswer } from './hold-answer.ts';

const QUESTION = 'jest-light-runner-get-worker-data';
const ANSWER = { type: 'jest-light-runner-worker-data', workerData: 1 };

/** A worker, and what has reached it. */
function openWorker() {
  const sent: unknown[] = [];
  const child = Object.assign(new EventEmitter(), { send: (message: unknown) => sent.push(message) > 0 });
  return { child: holdAnswer(child as unknown as ChildProcess), sent };
}

it('an answer that comes before the question reaches the worker after it', () => {
  const { child, sent } = openWorker();
  child.send(ANSWER);
  child.send('a task');
  expect(sent).toEqual(['a task']);
  child.emit('message', 'anything');
  child.emit('message', QUESTION);
  expect(sent).toEqual(['a task', ANSWER]);
});

it('one that comes after the question goes to it at once', () => {
  const { child, sent } = openWorker();
  child.emit('message', QUESTION);
  child.send(ANSWER);
  expect(sent).toEqual([ANSWER]);
});
