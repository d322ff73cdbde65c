import { hashCore } from '@answer-evidence/commitments';
import { replayStatus } from '@answer-evidence/lifecycle';
import { type BundleContext, readEntry } from '../bundle-context.ts';
import { assertSame, CheckFailure, pass, type Verdict } from '../verdict.ts';

/** The hash of the record's core against the entry that recorded it. */
export function checkRecordHash({ bundle }: BundleContext): Verdict {
  const { core, entry } = bundle.record;
  const expected = readEntry({ name: 'the record', entry }).hash;
  const actual = hashCore('answer_recorded', core);
  assertSame('the record’s hash', expected, actual);
  return pass('the hash of the record matches its entry', { expected, actual });
}

/** The status replayed from the events against the status that the bundle states. */
export function checkStatusDerivation({ bundle }: BundleContext): Verdict {
  const actual = replayStatus(bundle.events.map((event) => event.core.event_type));
  if (actual === null) throw new CheckFailure('the events are in an order that the lifecycle does not allow');
  assertSame('the status', actual, bundle.status);
  return pass('the events lead to the status', { expected: actual, actual: bundle.status });
}
