import { type Command, InvalidArgumentError } from 'commander';
import type { Client } from '@answer-evidence/client';
import { CREATE_MANY_BODY_BYTES_MAX, type CreatedResult, RECORDS_PER_REQUEST_MAX } from '@answer-evidence/contracts';
import type { Context } from '../context.ts';
import { countHistory, type HistoricalAnswer, readHistory } from '../import/read-history.ts';
import { asFields, asTable, type Block } from '../output/blocks.ts';
import { createProgress } from '../progress.ts';
import { UsageError } from '../usage-error.ts';

/** How many requests are under way at once: while the service records one, the next is read and sent. */
const REQUESTS_AT_ONCE = 2;
/** After so many refused lines something is wrong with the whole file. */
const REFUSED_MAX = 1_000;

type Refused = { readonly line: number; readonly code: string; readonly detail: string };
type Tally = { created: number; replayed: number; readonly refused: Refused[] };

/** `records import`. */
export function addImportCommand(records: Command, context: Context): void {
  records
    .command('import')
    .description(
      'record answers that were given before: one per line, each as the body of a create, with `answered_at` as the ' +
        'time that you claim; may be repeated, since a line that was recorded is not recorded again',
    )
    .argument('<file>', 'the answers, as JSONL')
    .option('--from-line <number>', 'start at this line, from 1', parseLine, 1)
    .action((path: string, { fromLine }: { fromLine: number }) => importFile(context, path, fromLine));
}

async function importFile(context: Context, path: string, fromLine: number): Promise<void> {
  if (path === '-') throw new UsageError('records import reads its file twice: give a file, not standard input');
  const progress = createProgress(context.io);
  const tally: Tally = { created: 0, replayed: 0, refused: [] };
  let next = fromLine;
  try {
    // All lines are checked before the first is sent, so that a wrong line is found while nothing is recorded.
    const total = await countHistory(context.io, path, fromLine, (count) => {
      if (count % RECORDS_PER_REQUEST_MAX === 0) progress.update(`checked ${count} lines`);
    });
    const client = await context.connect();
    for await (const settled of recordInOrder(client, batchesOf(readHistory(context.io, path, fromLine)))) {
      addResults(tally, settled);
      next = (settled.answers.at(-1)?.line ?? next) + 1;
      // What a person who is left with nothing but this line needs to continue.
      progress.update(`imported ${tally.created + tally.replayed} of ${total} answers; line ${next} is next`);
      if (tally.refused.length > REFUSED_MAX) break;
    }
  } catch (error) {
    progress.end();
    if (next > fromLine) context.note(`All lines before ${next} are decided: continue with --from-line ${next}.`);
    throw error;
  }
  progress.end();
  context.show({ json: tally, blocks: () => viewTally(tally) });
  if (tally.refused.length > REFUSED_MAX)
    context.note(`Stopped after ${REFUSED_MAX} refused lines: correct the file, then use --from-line ${next}.`);
  if (tally.refused.length > 0) context.settle([{ outcome: 'FAIL' }]);
}

type Settled = { readonly answers: readonly HistoricalAnswer[]; readonly results: readonly CreatedResult[] };

/** Records batch after batch, a few at once, and yields what became of them in the order of the file. */
async function* recordInOrder(
  client: Client,
  batches: AsyncIterable<readonly HistoricalAnswer[]>,
): AsyncGenerator<Settled> {
  const underWay: Promise<Settled>[] = [];
  const send = async (answers: readonly HistoricalAnswer[]): Promise<Settled> => ({
    answers,
    results: await client.records.createMany(answers.map(({ record }) => record)),
  });
  for await (const answers of batches) {
    const sent = send(answers);
    // A later request may fail while an earlier one is awaited.
    sent.catch(() => undefined);
    underWay.push(sent);
    const oldest = underWay.length === REQUESTS_AT_ONCE ? underWay.shift() : undefined;
    if (oldest !== undefined) yield await oldest;
  }
  for (const sent of underWay) yield await sent;
}

/** Batches that fit into one request. */
async function* batchesOf(
  answers: AsyncIterable<HistoricalAnswer>,
): AsyncGenerator<readonly HistoricalAnswer[], void, void> {
  let batch: HistoricalAnswer[] = [];
  let bytes = 0;
  for await (const answer of answers) {
    const isFull = batch.length === RECORDS_PER_REQUEST_MAX || bytes + answer.bytes > CREATE_MANY_BODY_BYTES_MAX / 2;
    if (isFull && batch.length > 0) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(answer);
    bytes += answer.bytes;
  }
  if (batch.length > 0) yield batch;
}

function addResults(tally: Tally, { answers, results }: Settled): void {
  for (const [n, result] of results.entries()) {
    if (result.outcome === 'refused') {
      const where = result.errors.map(({ pointer, detail }) => `${pointer} ${detail}`).join('; ');
      tally.refused.push({ line: answers[n]?.line ?? 0, code: result.code, detail: where || result.detail });
    } else tally[result.outcome] += 1;
  }
}

function viewTally({ created, replayed, refused }: Tally): readonly Block[] {
  const sums = asFields([
    ['recorded', created],
    ['recorded before', replayed],
    ['refused', refused.length],
  ]);
  if (refused.length === 0) return [sums];
  const rows = refused.map(({ line, code, detail }) => [line, code, detail]);
  return [asTable(['line', 'code', 'detail'], rows), sums];
}

function parseLine(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('must be a line number, from 1');
  return Number(text);
}
