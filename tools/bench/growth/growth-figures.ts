import * as z from 'zod';

/** What was measured at one size of one log. Times in milliseconds, medians unless they say otherwise. */
const logPoint = z.strictObject({
  leaves: z.int().positive(),
  createsPerSecond: z.number(),
  createP50Ms: z.number(),
  createP99Ms: z.number(),
  proofMs: z.number(),
  listMs: z.number(),
  verifyMs: z.number(),
  checkPerSecond: z.number(),
  checkMemoryMiB: z.number(),
  serviceMemoryMiB: z.number(),
  databaseMiB: z.number(),
});
export type LogPoint = z.infer<typeof logPoint>;

/** What was measured with so many workspaces, under a load that is spread over all of them. */
const workspacesPoint = z.strictObject({
  workspaces: z.int().positive(),
  offeredPerSecond: z.number(),
  seconds: z.number(),
  createP50Ms: z.number(),
  createP99Ms: z.number(),
  /** Creates that got 503 and were sent again until they were recorded, which their latencies include. */
  refusals: z.int().nonnegative(),
  /** Resident memory of the service, at equal distances in time. */
  serviceMemoryMiB: z.array(z.number()),
});
export type WorkspacesPoint = z.infer<typeof workspacesPoint>;

/** The committed figures. */
export const growthFigures = z.strictObject({
  machine: z.string(),
  load: z.string(),
  log: z.array(logPoint),
  workspaces: z.array(workspacesPoint),
});
export type GrowthFigures = z.infer<typeof growthFigures>;
