import { type CreateRunRequest, ENVIRONMENT_DEFAULT, type ReconciliationRun } from '@answer-evidence/contracts';
import { formatTimestamp, parseDateTime } from '@answer-evidence/encoding';
import { type Differences, differencesOf } from './differences.ts';

/** A run with the request for it. */
export function compareRun(sent: CreateRunRequest, run: ReconciliationRun): Differences {
  const time = (text: string) => formatTimestamp(parseDateTime(text));
  return differencesOf({
    '/application_key': [sent.application_key, run.application_key],
    '/environment': [sent.environment ?? ENVIRONMENT_DEFAULT, run.environment],
    '/window_start': [time(sent.window_start), run.window_start],
    '/window_end': [time(sent.window_end), run.window_end],
    '/match_on': [sent.match_on, run.match_on],
    '/max_lateness_seconds': [sent.max_lateness_seconds, run.max_lateness_seconds],
    '/references': [sent.references.length, run.references],
  });
}
