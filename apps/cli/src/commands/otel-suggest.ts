import { type JsonValue, type OtlpPlace, type OtlpRules, otlpRulesRequest } from '@answer-evidence/contracts';
import type { ShippedPlaces, SuggestedPlace } from '@answer-evidence/otlp-mapping';
import type { Context } from '../context.ts';
import { readJsonInput, writeOutput } from '../files.ts';
import { parseWith } from '../issues.ts';
import { asTable, type Block } from '../output/blocks.ts';
import { UsageError } from '../usage-error.ts';

/** So much of a text is shown of it. */
const SHOWN_LENGTH = 60;

/** What `otel explain --suggest` is given beside the file. */
export type SuggestOptions = {
  readonly application?: string;
  readonly question?: string;
  readonly answer?: string;
  readonly rules?: string;
  readonly write?: string;
};

/**
 * Shows the places at which a request has texts, and writes the rules of the application with those that are picked: by
 * options, or by a person who is asked. All of it is read here: nothing is sent.
 */
export async function suggestRules(context: Context, request: Uint8Array, options: SuggestOptions): Promise<void> {
  const [{ OTLP_LIMITS, OtlpError, readRequest }, { suggestPlaces }] = await Promise.all([
    import('@answer-evidence/otlp'),
    import('@answer-evidence/otlp-mapping'),
  ]);
  let items;
  try {
    items = readRequest(request, request[0] === BRACE ? 'json' : 'protobuf', undefined, OTLP_LIMITS).items;
  } catch (error) {
    if (error instanceof OtlpError) throw new UsageError(`the request cannot be read: ${error.message}`);
    throw error;
  }
  const places = suggestPlaces(items).filter(
    ({ application }) => options.application === undefined || application === options.application,
  );
  const picked = await pick(context, places, options);
  if (picked === undefined) {
    context.show({ json: places.map(formatPlace), blocks: () => [viewPlaces(places)] });
    context.note(places.length === 0 ? 'no attribute of the request has a text' : HOW_ON);
    return;
  }
  const { application } = picked;
  const before =
    options.rules === undefined ? [] : parseWith(otlpRulesRequest, await readJsonInput(context.io, options.rules));
  const rules = mergeRules(before, application, picked);
  const text = `${JSON.stringify(rules, null, 2)}\n`;
  await writeOutput(context.io, options.write ?? '-', text);
  const file = options.write ?? 'FILE';
  context.note(
    `rules of ${application}; try them: answer-evidence otel explain REQUEST --rules ${file}; ` +
      `set them: answer-evidence settings set otlp_rules=@${file}`,
  );
}

const BRACE = 0x7b;
const HOW_ON =
  'pick the numbers of a question and an answer: --question N --answer N, with --write FILE to keep the rules';

type Picked = { readonly application: string; readonly question?: OtlpPlace; readonly answer?: OtlpPlace };

/** What is picked by options, or by a person at a terminal; undefined where nothing is. */
async function pick(
  context: Context,
  places: readonly SuggestedPlace[],
  { question, answer }: SuggestOptions,
): Promise<Picked | undefined> {
  if (question !== undefined || answer !== undefined) return pickBy(places, question, answer);
  const { io } = context;
  if (io.askTerminal === undefined || context.isJson() || places.length === 0) return undefined;
  context.show({ json: places.map(formatPlace), blocks: () => [viewPlaces(places)] });
  const asked = (await io.askTerminal('number of the question, or nothing: ', false)).trim();
  const said = (await io.askTerminal('number of the answer, or nothing: ', false)).trim();
  if (asked === '' && said === '') throw new UsageError('nothing was picked; no rule was written');
  return pickBy(places, asked === '' ? undefined : asked, said === '' ? undefined : said);
}

function pickBy(places: readonly SuggestedPlace[], question?: string, answer?: string): Picked {
  const [asked, said] = [find(places, 'question', question), find(places, 'answer', answer)];
  const named = [asked, said].flatMap((place) => place?.application ?? []);
  const [application, ...others] = new Set(named);
  if (application === undefined) throw new UsageError('the request names no application: service.name is missing');
  if (others.length > 0) throw new UsageError('the two places are of two applications; pick places of one');
  return {
    application,
    ...(asked !== undefined && { question: placeOf(asked) }),
    ...(said !== undefined && { answer: placeOf(said) }),
  };
}

function find(
  places: readonly SuggestedPlace[],
  to: 'question' | 'answer',
  number?: string,
): SuggestedPlace | undefined {
  if (number === undefined) return undefined;
  const place = /^[1-9]\d{0,3}$/.test(number) ? places[Number(number) - 1] : undefined;
  if (place === undefined) throw new UsageError(`--${to} ${number}: must be a number of 1 to ${places.length}`);
  if ((to === 'question' ? place.asked : place.said) === null)
    throw new UsageError(`--${to} ${number}: no ${to} can be read there; pick another place`);
  return place;
}

function placeOf({ attribute, event, path }: SuggestedPlace): OtlpPlace {
  return { attribute, ...(event !== undefined && { event }), ...(path !== undefined && { path }) };
}

/** All rules with what was picked for an application: it comes before the places that are there. */
function mergeRules(before: OtlpRules, application: string, { question, answer }: Picked): OtlpRules {
  const known = before.find((rules) => rules.application_key === application);
  const rules = {
    ...(known ?? { application_key: application, answers: 'all', include: [], exclude: [] }),
    ...(question !== undefined && { question: withFirst(question, known?.question) }),
    ...(answer !== undefined && { answer: withFirst(answer, known?.answer) }),
  };
  const merged = [...before.filter((one) => one !== known), rules];
  return parseWith(otlpRulesRequest, merged);
}

function withFirst(place: OtlpPlace, others: readonly OtlpPlace[] = []): readonly OtlpPlace[] {
  return [place, ...others.filter((other) => JSON.stringify(other) !== JSON.stringify(place))];
}

function formatPlace(place: SuggestedPlace, n: number): JsonValue {
  const { application, scope, isRoot, itemCount, asked, said, readBy } = place;
  return {
    number: n + 1,
    ...placeOf(place),
    application_key: application,
    scope_name: scope,
    is_root: isRoot,
    item_count: itemCount,
    question: shorten(asked),
    answer: shorten(said),
    read_by: [...readBy],
  };
}

function viewPlaces(places: readonly SuggestedPlace[]): Block {
  return asTable(
    ['', 'application', 'attribute', 'path', 'root', 'items', 'read by', 'text'],
    places.map(({ application, attribute, event, path, isRoot, itemCount, asked, said, readBy }, n) => [
      n + 1,
      application,
      event === undefined ? attribute : `${attribute} of ${event}`,
      path ?? null,
      isRoot ? 'yes' : 'no',
      itemCount,
      readBy.join(', '),
      shorten(asked === said ? said : `${asked ?? '–'} / ${said ?? '–'}`),
    ]),
  );
}

function shorten(text: string | null): string | null {
  if (text === null) return null;
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= SHOWN_LENGTH ? line : `${line.slice(0, SHOWN_LENGTH - 1).toWellFormed()}…`;
}

/** Shows where the dialects that the service ships look for texts, as rules say it: all of them, or one. */
export async function showShipped(context: Context, name: string | true): Promise<void> {
  const { MAPPING_VERSION, SHIPPED_PLACES } = await import('@answer-evidence/otlp-mapping');
  const shown = SHIPPED_PLACES.filter((one) => name === true || one.name === name);
  if (shown.length === 0)
    throw new UsageError(
      `${String(name)}: no such dialect; use one of ${SHIPPED_PLACES.map((one) => one.name).join(', ')}`,
    );
  const json = { mapping_version: MAPPING_VERSION, dialects: shown.map(formatShipped) };
  context.show({
    json,
    blocks: () => [
      asTable(
        ['dialect', 'half', 'attribute', 'event'],
        shown.flatMap((one) => [
          ...(['question', 'answer'] as const).flatMap((to) =>
            one[to].map(({ attribute, event }) => [one.name, to, attribute, event ?? null]),
          ),
          ...one.others.map((attribute) => [one.name, 'in a form of its own', attribute, null]),
        ]),
      ),
    ],
  });
}

function formatShipped({ name, source, question, answer, others }: ShippedPlaces): JsonValue {
  return { name, source, question: question.map(formatShippedPlace), answer: answer.map(formatShippedPlace), others };
}

/** A place of a dialect, which has no more than an attribute, and an event. */
function formatShippedPlace({ attribute, event }: OtlpPlace): JsonValue {
  return event === undefined ? { attribute } : { attribute, event };
}
