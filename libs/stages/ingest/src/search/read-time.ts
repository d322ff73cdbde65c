import { addDays, type Day, dayAt, isAfter, isDay, momentOf, weekdayOf } from './zoned-days.ts';

/** A span of time that a text names, in milliseconds since 1970, and the text without the words that name it. */
type NamedTime = { readonly fromMs: number; readonly toMs: number; readonly rest: string };

/** Days from the first up to and without the other. */
type Days = { readonly from: Day; readonly to: Day };

/** First letters of the months, as English and German write them, without accents. */
const MONTHS = ['jan', 'feb', 'mar|maer', 'apr', 'may|mai', 'jun', 'jul', 'aug', 'sep', 'oct|okt', 'nov', 'dec|dez'];
const MONTH_WORD = String.raw`(jan(?:uary?|uar)?|feb(?:ruary?|ruar)?|mar(?:ch|z)?|maerz|apr(?:il)?|may|mai|june?|juni|july?|juli|aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?)`;
const WEEKDAYS = [
  'sunday|sonntags?',
  'monday|montags?',
  'tuesday|dienstags?',
  'wednesday|mittwochs?',
  'thursday|donnerstags?',
  'friday|freitags?',
  'saturday|samstags?|sonnabends?',
];
const AWAY: Readonly<Record<string, number>> = {
  today: 0,
  heute: 0,
  yesterday: -1,
  gestern: -1,
  vorgestern: -2,
  'day before yesterday': -2,
};

/** Reads a match: the days that it names, or undefined where it names none. */
type Reader = (groups: readonly (string | undefined)[], today: Day) => Days | undefined;

/** Forms of days, the longer ones first. Each is a word or some of its own: `(?<!…)` and `(?!…)` see to that. */
const FORMS: readonly (readonly [RegExp, Reader])[] = (
  [
    [String.raw`(\d{4})-(\d{2})-(\d{2})`, ([year, month, day]) => oneDay(year, month, day)],
    [String.raw`(\d{4})-(\d{2})`, ([year, month]) => oneMonth(year, month)],
    [String.raw`(\d{1,2})\. ?(\d{1,2})\.(?: ?(\d{4}|\d{2}))?`, ([d, m, y], today) => dayOrLast(y, m, d, today)],
    [
      String.raw`(\d{1,2})(?:\.|st|nd|rd|th)? (?:of )?${MONTH_WORD}\.?(?:,? (\d{4}))?`,
      ([d, m, y], today) => dayOrLast(y, monthOf(m), d, today),
    ],
    [
      String.raw`${MONTH_WORD}\.? (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?`,
      ([m, d, y], today) => dayOrLast(y, monthOf(m), d, today),
    ],
    [String.raw`${MONTH_WORD} (\d{4})`, ([month, year]) => oneMonth(year, monthOf(month))],
    ['(day before yesterday|today|yesterday|heute|gestern|vorgestern)', ([word], today) => away(today, word)],
    [
      String.raw`(?:last|past|letzten?|die letzten) (\d{1,3}) (?:days|tagen?)`,
      ([count], today) => ({ from: addDays(today, 1 - Number(count)), to: addDays(today, 1) }),
    ],
    ['(?:this week|diese woche)', (_, today) => weekOf(today)],
    ['(?:last week|letzte woche)', (_, today) => weekOf(addDays(today, -7))],
    ...WEEKDAYS.map((names, weekday): [string, Reader] => [
      `(last |letzten |vergangenen )?(?:${names})`,
      ([last], today) => lastWeekday(today, weekday, last !== undefined),
    ]),
  ] satisfies readonly (readonly [string, Reader])[]
).map(([form, read]) => [alone(form), read]);

/** Words before a day that belong to it. */
const BEFORE_DAY = /(?:^|\s)(?:on|since|am|vom|at|from)\s*$/i;
const CLOCK = alone(String.raw`(?:at |um )?(\d{1,2}):(\d{2})(?::(\d{2}))?(?: ?(?:uhr|h))?`);
const MOMENT = alone(
  String.raw`(\d{4}-\d{2}-\d{2})[t ](\d{2}:\d{2})(:\d{2})?(?:[.,]\d{1,9})?(?: ?(z|utc|[+-]\d{2}:\d{2}))`,
);

function alone(form: string): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\p{N}_.:/-])${form}(?!\.?[\p{L}\p{N}_:/-])`, 'iu');
}

/** The day or time that a text names, as a reader in this zone means it; undefined where it names none. */
export function readTime(text: string, nowMs: number, timeZone: string): NamedTime | undefined {
  // Of equal length, so that what was found can be cut out of the text itself.
  const plain = text.replaceAll(/[äÄ]/g, 'a').replaceAll(/\s/g, ' ');
  const moment = MOMENT.exec(plain);
  if (moment !== null) {
    const [all, day, minute, second = '', zone = ''] = moment;
    const fromMs = Date.parse(`${day}T${minute}${second || ':00'}${/^[+-]/.test(zone) ? zone : 'Z'}`);
    if (!Number.isNaN(fromMs))
      return { fromMs, toMs: fromMs + (second === '' ? 60_000 : 1_000), rest: without(text, moment.index, all) };
  }
  const today = dayAt(nowMs, timeZone);
  for (const [form, read] of FORMS) {
    const found = form.exec(plain);
    const days = found === null ? undefined : read(found.slice(1), today);
    if (found === null || days === undefined) continue;
    const rest = without(text, found.index, found[0]);
    return (
      readClock(rest, days.from, timeZone) ?? {
        fromMs: momentOf(days.from, 0, timeZone),
        toMs: momentOf(days.to, 0, timeZone),
        rest,
      }
    );
  }
  return readClock(text, today, timeZone);
}

/** A time of this day. */
function readClock(text: string, day: Day, timeZone: string): NamedTime | undefined {
  const found = CLOCK.exec(text);
  if (found === null) return undefined;
  const [all, hour, minute, second] = found;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second ?? 0) > 59) return undefined;
  const start = momentOf(day, Number(hour) * 60 + Number(minute), timeZone);
  const rest = without(text, found.index, all);
  if (second === undefined) return { fromMs: start, toMs: start + 60_000, rest };
  return { fromMs: start + Number(second) * 1000, toMs: start + Number(second) * 1000 + 1000, rest };
}

function without(text: string, at: number, found: string): string {
  const before = text.slice(0, at).replace(BEFORE_DAY, '');
  return `${before} ${text.slice(at + found.length)}`.replaceAll(/\s+/g, ' ').trim();
}

function oneDay(year: string | undefined, month: string | number | undefined, day: string | undefined) {
  const from = { year: Number(year), month: Number(month), day: Number(day) };
  return isDay(from) ? { from, to: addDays(from, 1) } : undefined;
}

/** The day of that year; without one, the last such day up to today. A year of two digits is of this century. */
function dayOrLast(
  year: string | undefined,
  month: string | number | undefined,
  day: string | undefined,
  today: Day,
): Days | undefined {
  if (year !== undefined) return oneDay(year.length === 2 ? `20${year}` : year, month, day);
  const found = [today.year, today.year - 1, today.year - 2, today.year - 3, today.year - 4]
    .map((one) => oneDay(String(one), month, day))
    .find((days) => days !== undefined && !isAfter(days.from, today));
  return found;
}

function oneMonth(year: string | undefined, month: string | number | undefined): Days | undefined {
  const from = { year: Number(year), month: Number(month), day: 1 };
  if (!isDay(from)) return undefined;
  return {
    from,
    to: from.month === 12 ? { ...from, year: from.year + 1, month: 1 } : { ...from, month: from.month + 1 },
  };
}

function monthOf(word: string | undefined): number {
  const plain = (word ?? '').toLowerCase();
  return 1 + MONTHS.findIndex((starts) => starts.split('|').some((start) => plain.startsWith(start)));
}

function away(today: Day, word: string | undefined): Days | undefined {
  const days = AWAY[(word ?? '').toLowerCase()];
  if (days === undefined) return undefined;
  const from = addDays(today, days);
  return { from, to: addDays(from, 1) };
}

/** From Monday. */
function weekOf(day: Day): Days {
  const from = addDays(day, -((weekdayOf(day) + 6) % 7));
  return { from, to: addDays(from, 7) };
}

/** The last such day up to today; before today, if the text says "last". */
function lastWeekday(today: Day, weekday: number, isBefore: boolean): Days {
  const back = (weekdayOf(today) - weekday + 7) % 7;
  const from = addDays(today, -(back === 0 && isBefore ? 7 : back));
  return { from, to: addDays(from, 1) };
}
