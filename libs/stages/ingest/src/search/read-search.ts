import {
  externalId,
  key,
  type RecordFilters,
  type SearchReading,
  type SearchRequest,
} from '@answer-evidence/contracts';
import { formatTimestamp } from '@answer-evidence/encoding';
import type { RecordValues } from '@answer-evidence/ports';
import { readTime } from './read-time.ts';

/** Filters that a text may mean, and what they take it for. */
export type Meaning = Pick<SearchReading, 'means' | 'filters'>;

/** What a text says besides ids: when and where, and what is left of it. */
type Circumstances = Meaning & { readonly rest: string };

const HEX_TRACE = /^[0-9a-f]{32}$/i;
/** Words that join others. They mean nothing alone, so nothing is said of them. */
const JOINING =
  /^(?:a|an|the|of|in|at|on|by|for|from|and|about|with|der|die|das|den|dem|des|ein|eine|einer|im|in|am|von|vom|und|mit|zu|zum|zur|über|fuer|für)$/i;

/** The time, application and environment that parts of a text name. */
export function readCircumstances(
  { text, time_zone: timeZone = 'UTC' }: Pick<SearchRequest, 'text' | 'time_zone'>,
  nowMs: number,
  values: RecordValues,
): Circumstances {
  const means: Meaning['means'] = [];
  const filters: RecordFilters = {};
  const time = readTime(text, nowMs, timeZone);
  let words = (time?.rest ?? text).split(/\s+/).filter((word) => word !== '');
  const take = (meaning: 'application' | 'environment', known: readonly string[]): string | undefined => {
    const found = findNamed(words, known);
    if (found === undefined) return undefined;
    means.push(meaning);
    words = found.others;
    return found.value;
  };
  const application = take('application', values.applications);
  if (application !== undefined) filters.application_key = application;
  const environment = take('environment', values.environments);
  if (environment !== undefined) filters.environment = environment;
  if (time !== undefined) {
    means.push('time');
    filters.created_after = formatTimestamp(time.fromMs * 1000);
    filters.created_before = formatTimestamp(time.toMs * 1000);
  }
  return { means, filters, rest: words.some((word) => !JOINING.test(word)) ? words.join(' ') : '' };
}

/** The value that all words together are, or one of them; as it is written first, then in another case. */
function findNamed(words: readonly string[], known: readonly string[]) {
  const sameAs = (text: string) =>
    known.find((value) => value === text) ?? known.find((value) => value.toLowerCase() === text.toLowerCase());
  const whole = sameAs(words.join(' '));
  if (whole !== undefined) return { value: whole, others: [] };
  for (const [at, word] of words.entries()) {
    const value = sameAs(word);
    if (value !== undefined) return { value, others: words.toSpliced(at, 1) };
  }
  return undefined;
}

/** Hashes an id of a person or a session under each key of the workspace. */
export type HashId = (kind: 'actor' | 'session', id: string) => readonly string[];

/** The filters by which a text is looked up as an id, within these circumstances. */
export function* readIds(text: string, within: Meaning, hashId: HashId): Generator<Meaning> {
  const meaning = (means: SearchReading['means'][number], filters: RecordFilters): Meaning => ({
    means: [means, ...within.means],
    filters: { ...within.filters, ...filters },
  });
  if (key.safeParse(text).success) yield meaning('idempotency_key', { idempotency_key: text });
  if (externalId.safeParse(text).success) {
    yield meaning('external_message_id', { external_message_id: text });
    yield meaning('external_trace_id', { external_trace_id: HEX_TRACE.test(text) ? text.toLowerCase() : text });
    yield meaning('actor_id', { actor_id_hash: text });
    yield meaning('session_id', { session_id_hash: text });
  }
  for (const hash of hashId('actor', text)) yield meaning('actor_id', { actor_id_hash: hash });
  for (const hash of hashId('session', text)) yield meaning('session_id', { session_id_hash: hash });
}
