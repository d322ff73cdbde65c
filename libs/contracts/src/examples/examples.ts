import { DESCRIPTION } from './description.ts';
import { KEEPING_EVIDENCE } from './evidence.ts';
import { FIRST_STEPS } from './first-steps.ts';
import { READING_RECORDS } from './lifecycle.ts';
import { MEMBERS } from './members.ts';
import type { OperationExample } from './operation-example.ts';
import { OUTSIDE } from './outside.ts';
import { RECONCILING } from './reconciliations.ts';
import { RECORDING } from './records.ts';
import { SEARCHING } from './search.ts';
import { TELEMETRY } from './telemetry.ts';
import { TRUSTING } from './trust.ts';
import { WORK } from './work.ts';

/** At least one example of every operation, each built on those before; record a new one by `npm run api:examples`. */
export const EXAMPLES: readonly OperationExample[] = [
  ...FIRST_STEPS,
  ...RECORDING,
  ...KEEPING_EVIDENCE,
  ...READING_RECORDS,
  ...RECONCILING,
  ...TRUSTING,
  ...MEMBERS,
  ...TELEMETRY,
  ...SEARCHING,
  ...WORK,
  ...OUTSIDE,
  ...DESCRIPTION,
];
