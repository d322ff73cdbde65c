import type { Scene } from './scene.ts';

/** What must hold, in seconds. */
export type Bounds = {
  /** From the end of the fault to the next create. */
  readonly createsBack: number;
  /** From the end of the fault until nothing is pending. */
  readonly workBack: number;
  /** The longest time without a create, over all of it. */
  readonly stall?: number;
};

/** One way to hurt an installation. */
export type Fault = {
  readonly name: string;
  /** Faults of one group need an installation with so many processes of each role. */
  readonly group: FaultGroup;
  readonly bounds: Bounds;
  /** Does it and undoes it. The bounds count from the call of `hasEnded`, or else from the end. */
  strike(scene: Scene, hasEnded: () => void): Promise<void>;
};

/** The groups, which can be run at the same time. */
export const FAULT_GROUPS = [
  'processes',
  'minutes',
  'stores',
  'network',
  'paths',
  'instances',
  'three',
  'clock',
] as const;
export type FaultGroup = (typeof FAULT_GROUPS)[number];

/** Processes of each role that a group has. */
export const INSTANCES: Readonly<Record<FaultGroup, number>> = {
  processes: 1,
  minutes: 1,
  stores: 1,
  network: 1,
  paths: 1,
  instances: 2,
  three: 3,
  clock: 1,
};

/** Within these, everything is back after a fault. */
export const USUAL: Bounds = { createsBack: 6, workBack: 60 };
/** A process that is paused holds the lock of one workspace until the database ends its transaction. */
export const PAUSED: Bounds = { ...USUAL, stall: 5 };

/** How long a part is down before it is started again. */
export const DOWN_MS = 2_000;
/** How long a part is paused, or its disk is full. */
export const PAUSE_MS = 15_000;
/** How long a part is stopped. */
export const MINUTE_MS = 60_000;
