import { setPriority } from 'node:os';
import { serialize } from 'node:v8';
import { createHtmlReader } from '@answer-evidence/html-text';
import { readBodyPart } from '@answer-evidence/http-edge';
import { LateBody, type Route } from '@answer-evidence/routes';
import { splitText } from '@answer-evidence/stage-evidence';
import { moveResult } from '@answer-evidence/worker-threads';
import type { BodyTask, BodyTaskResult, PackedBody } from './body-task.ts';
import { countWork } from './count-work.ts';
import { routesWithLargeBodies } from './routes-with-large-bodies.ts';

/** What answers requests goes first, where there are too few processors for all. */
const NICENESS = 10;
const JSON_TYPE = 'application/json';

try {
  // On Linux this is about the calling thread alone.
  if (process.platform === 'linux') setPriority(NICENESS);
} catch {
  // A container may forbid it; then the threads are equal.
}

const htmlReader = createHtmlReader();
let routes: ReadonlyMap<string, Route> | undefined;

/** Does one task. What a thread does once, before its first task, counts to nobody. */
export default function run(task: BodyTask): BodyTaskResult {
  if (task.kind === 'split') return countWork(() => splitText(task.text, task.contentType, htmlReader));
  const { bytes, part, otlp } = task;
  routes ??= openRoutes(otlp);
  const route = routes.get(part.operationId);
  if (route === undefined) throw new Error('no route of this name has large bodies');
  const moving: ArrayBuffer[] = [];
  const result = countWork(() => {
    const value = readBodyPart(route, bytes, part);
    if (!(value instanceof LateBody)) return value;
    // What the handler opens later goes as bytes, in the form in which objects go between threads.
    const packed = serialize(value.open());
    moving.push(packed.buffer);
    return { packed } satisfies PackedBody;
  });
  return moving.length === 0 ? result : moveResult(result, moving);
}

/** The routes by name, each with its schema compiled, which zod does when it first sees an object. */
function openRoutes(otlp: Parameters<typeof routesWithLargeBodies>[0]): ReadonlyMap<string, Route> {
  const opened = routesWithLargeBodies(otlp);
  const empty = new TextEncoder().encode('{}');
  for (const route of opened)
    if (route.body !== undefined) countWork(() => readBodyPart(route, empty, { name: 'body', contentType: JSON_TYPE }));
  return new Map(opened.map((route) => [route.operationId, route]));
}
