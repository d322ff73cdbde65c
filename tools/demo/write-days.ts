import { answerTopic, DEMO_ENVIRONMENT, type GivenAnswer } from './answer-topic.ts';
import type { CallService } from './call-service.ts';
import type { Draw } from './draw.ts';
import type { MovingClock } from './moving-clock.ts';
import { APPLICATIONS, REASONS } from './texts.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** When answers of a day are written: about so many times, between these minutes after midnight UTC. */
const MOMENTS = 24;
const FIRST_MINUTE = 390;
const LAST_MINUTE = 1_290;
/** What an answer of a day off is to one of a day of work. */
const DAY_OFF = 0.35;
/** For so many nights, answers are compared with the applications' own lists. */
const COMPARED_NIGHTS = 14;
/** How often an application loses an answer before it is recorded. */
const LOST = 0.03;
const COMPARED = ['support-bot', 'kundendienst'];

type Written = { readonly id: string; readonly answer: GivenAnswer };

/** What came of all days: the runs of reconciliation, first to last. */
type WrittenDays = { readonly records: number; readonly runIds: readonly string[] };

type Parts = {
  readonly call: CallService;
  readonly clock: MovingClock;
  readonly draw: Draw;
  /** Told after each day. */
  readonly onDay: (day: number) => Promise<void>;
};

/** Writes so many days that end with today, each at its own times. */
export async function writeDays(days: number, { call, clock, draw, onDay }: Parts): Promise<WrittenDays> {
  const firstDay = Math.floor(Date.now() / DAY_MS);

  const lastMoment = clock.realMillis();
  const runIds: string[] = [];
  let records = 0;
  let yesterday: readonly Written[] = [];
  for (let day = 0; day <= days; day++) {
    const midnight = (firstDay + day) * DAY_MS;
    const written: Written[] = [];
    const lost: GivenAnswer[] = [];
    for (let n = 0; n < MOMENTS; n++) {
      const minutes = FIRST_MINUTE + ((LAST_MINUTE - FIRST_MINUTE) * (n + draw.number(100) / 100)) / MOMENTS;
      const at = midnight + Math.floor(minutes * MINUTE_MS);
      if (at >= lastMoment) break;
      clock.moveTo(at);
      if (n === 3) await review(yesterday, call, draw);
      const given = giveAnswers(at, records, draw);
      // An application that loses its connection gives an answer of which there is no record.
      const kept = given.filter((one) => !COMPARED.includes(one.applicationKey) || !draw.happens(LOST));
      lost.push(...given.filter((one) => !kept.includes(one)));
      written.push(...(await record(kept, call)));
      records += given.length;
    }
    if (day >= days - COMPARED_NIGHTS && written.length > 0 && midnight + DAY_MS < lastMoment) {
      clock.moveTo(midnight + DAY_MS - 10 * MINUTE_MS);
      for (const key of COMPARED)
        runIds.push(await compare(key, midnight, [...written.map(({ answer }) => answer), ...lost], call));
    }
    yesterday = written;
    await onDay(day);
  }
  return { records, runIds };
}

function giveAnswers(at: number, before: number, draw: Draw): readonly GivenAnswer[] {
  const weekday = new Date(at).getUTCDay();
  const share = weekday === 0 || weekday === 6 ? DAY_OFF : 1;
  const given: GivenAnswer[] = [];
  for (const app of APPLICATIONS) {
    const mean = (app.perDay * share) / MOMENTS;
    const count = Math.floor(mean + draw.number(100) / 100);
    for (let n = 0; n < count; n++) given.push(answerTopic(app, before + given.length + 1, at, draw));
  }
  return given;
}

async function record(given: readonly GivenAnswer[], call: CallService): Promise<readonly Written[]> {
  if (given.length === 0) return [];
  const { results } = await call<{ results: readonly { outcome: string; id: string }[] }>(
    'POST',
    '/api/answer-audit-logs/batch',
    { records: given.map(({ request }) => request) },
  );
  return given.map((answer, n) => {
    const result = results[n];
    if (result?.outcome !== 'created')
      throw new Error(`${answer.messageId} was not recorded: ${JSON.stringify(result)}`);
    return { id: result.id, answer };
  });
}

/** What people did about the answers of the day before. */
async function review(written: readonly Written[], call: CallService, draw: Draw): Promise<void> {
  const bodies = written.flatMap(({ id, answer: { corrected } }) => {
    const events: object[] = [];
    if (corrected !== undefined && draw.happens(0.14))
      events.push({
        event_type: 'correction_appended',
        reason: draw.one(REASONS.corrected),
        payload: { corrected_answer_text: corrected },
      });
    if (draw.happens(0.012)) events.push({ event_type: 'voided', reason: draw.one(REASONS.voided) });
    else if (draw.happens(0.008))
      events.push({ event_type: 'redacted', reason: draw.one(REASONS.redacted), payload: { reason_code: 'privacy' } });
    return events.map((body) => ({ id, body }));
  });
  // One after the other: some are of one record.
  for (const { id, body } of bodies) await call('POST', `/api/answer-audit-logs/${id}/events`, body);
}

/** Compares a day with the application's own list, and returns the run's id. */
async function compare(
  key: string,
  midnight: number,
  answers: readonly GivenAnswer[],
  call: CallService,
): Promise<string> {
  const { id } = await call<{ id: string }>('POST', '/api/reconciliations/runs', {
    application_key: key,
    environment: DEMO_ENVIRONMENT,
    window_start: new Date(midnight).toISOString(),
    window_end: new Date(midnight + DAY_MS).toISOString(),
    match_on: 'external_message_id',
    references: answers
      .filter(({ applicationKey }) => applicationKey === key)
      .map(({ messageId, atMillis }) => ({ reference_id: messageId, occurred_at: new Date(atMillis).toISOString() })),
  });
  return id;
}
