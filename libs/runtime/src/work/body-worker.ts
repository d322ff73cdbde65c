import { setPriority } from 'node:os';
import { ServiceError } from '@answer-evidence/contracts';
import { readBodyPart } from '@answer-evidence/http-edge';
import type { Route } from '@answer-evidence/routes';
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

let routes: ReadonlyMap<string, Route> | undefined;

/** Reads a body by its route, in a thread of its own. */
export default function run({ bytes, part, otlp }: BodyTask): BodyTaskResult {
  const startMs = performance.now();
  routes ??= new Map(routesWithLargeBodies(otlp).map((route) => [route.operationId, route]));
  const route = routes.get(part.operationId);
  // What the main thread has no other name for either: it reads such a body itself.
  if (route === undefined) throw new Error('no route of this name has large bodies');
  try {
    return { value: readBodyPart(route, bytes, part), refusal: null, ms: performance.now() - startMs };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { code, message, errors, remedy } = error;
    return { value: undefined, refusal: { code, message, errors, remedy }, ms: performance.now() - startMs };
  }
}
