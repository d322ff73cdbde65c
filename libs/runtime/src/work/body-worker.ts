import { setPriority } from 'node:os';
import { ServiceError } from '@answer-evidence/contracts';
import { createHtmlReader } from '@answer-evidence/html-text';
import { readBodyPart } from '@answer-evidence/http-edge';
import type { Route } from '@answer-evidence/routes';
import { splitText } from '@answer-evidence/stage-evidence';
import type { BodyTask, BodyTaskResult } from './body-task.ts';
import { routesWithLargeBodies } from './routes-with-large-bodies.ts';

/** What answers requests goes first, where there are too few processors for all. */
const NICENESS = 10;

try {
  // On Linux this is about the calling thread alone.
  if (process.platform === 'linux') setPriority(NICENESS);
} catch {
  // A container may forbid it; then the threads are equal.
}

const htmlReader = createHtmlReader();
let routes: ReadonlyMap<string, Route> | undefined;

/** Does one task; the refusal of a request is a result as well. */
export default function run(task: BodyTask): BodyTaskResult {
  const startMs = performance.now();
  try {
    return { value: perform(task), refusal: null, ms: performance.now() - startMs };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { code, message, errors, remedy } = error;
    return { value: undefined, refusal: { code, message, errors, remedy }, ms: performance.now() - startMs };
  }
}

function perform(task: BodyTask): unknown {
  if (task.kind === 'split') return splitText(task.text, task.contentType, htmlReader);
  const { bytes, part, otlp } = task;
  routes ??= new Map(routesWithLargeBodies(otlp).map((route) => [route.operationId, route]));
  const route = routes.get(part.operationId);
  if (route === undefined) throw new Error('no route of this name has large bodies');
  return readBodyPart(route, bytes, part);
}
