import type { Command } from 'commander';
import { type CreateRecordRequest, createRecordRequest } from '@answer-evidence/contracts';
import type { Context } from '../context.ts';
import { readJsonInput, readTextInput, writeOutput } from '../files.ts';
import type { Io } from '../io.ts';
import { parseWith } from '../issues.ts';
import { keepMismatch } from '../keep-mismatch.ts';
import { collect, fieldsOf, given, parseTimeOption } from '../options.ts';
import { viewRecord } from '../record-view.ts';
import { parseSource } from '../source-option.ts';
import { UsageError } from '../usage-error.ts';

type Parts = {
  readonly application?: string;
  readonly questionText?: string;
  readonly questionFile?: string;
  readonly questionHash?: string;
  readonly answerText?: string;
  readonly answerFile?: string;
  readonly answerHash?: string;
  readonly source: readonly string[];
  readonly accessEvent: readonly string[];
};
type Options = Parts & { readonly json?: string; readonly receiptOut?: string; readonly entryOut?: string };

/** `records create`. */
export function addCreateCommand(records: Command, context: Context): void {
  records
    .command('create')
    .description('record an answer; commitments cover every byte of a text, including a final line break')
    .option('--application <key>', 'application that gave the answer')
    .option('--environment <name>', 'default: production')
    .option('--idempotency-key <key>', 'idempotency key, the same for every retry of this answer; default: random')
    .option('--question-text <text>', 'the question')
    .option('--question-file <file>', 'file with the question, or -')
    .option('--question-hash <hash>', 'commitment computed by you, sha256:<hex>')
    .option('--answer-text <text>', 'the answer')
    .option('--answer-file <file>', 'file with the answer, or -')
    .option('--answer-hash <hash>', 'commitment computed by you, sha256:<hex>')
    .option('--source <fields>', 'a source, such as name=faq.md,hash=sha256:…,type=file,id=…; repeatable', collect, [])
    .option('--access-event <id>', 'id of an evidence access event; repeatable', collect, [])
    .option('--external-trace-id <id>', "id of the answer's trace in another system")
    .option('--external-message-id <id>', "id of the answer's message in another system")
    .option('--mode <mode>', 'mode of the application, such as chat')
    .option('--actor-id-hash <hash>', 'hash of the user who asked')
    .option('--session-id-hash <hash>', 'hash of the session')
    .option('--retention-until <time>', 'retention: keep the text until this time (RFC 3339)', (text) =>
      parseTimeOption(text),
    )
    .option('--json <file>', 'the whole request body as a JSON file, or -; excludes the options above')
    .option('--receipt-out <file>', 'write the receipt (.tlog-proof) to this file')
    .option('--entry-out <file>', 'write the ledger entry to this file')
    .action(async (options: Options) => {
      const { json, receiptOut, entryOut, ...parts } = options;
      const body = json === undefined ? await readParts(context.io, parts) : await readBody(context.io, json, parts);
      await create(context, parseWith(createRecordRequest, body), receiptOut, entryOut);
    });
}

async function create(
  context: Context,
  body: CreateRecordRequest,
  receiptOut: string | undefined,
  entryOut: string | undefined,
): Promise<void> {
  const client = await context.connect();
  const { record, replayed } = await keepMismatch(context, receiptOut, client.records.create(body));
  // First of all the id: the record exists, also when a file below cannot be written.
  context.show({ json: record, blocks: () => viewRecord(record) });
  if (replayed) context.note('This answer was already recorded under the same idempotency key; nothing was added.');
  if (receiptOut !== undefined) await writeOutput(context.io, receiptOut, record.receipt);
  if (entryOut !== undefined) await writeOutput(context.io, entryOut, record.ledger.entry);
}

async function readBody(io: Io, path: string, parts: Parts): Promise<unknown> {
  const isGiven = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0);
  if (Object.values(parts).some(isGiven))
    throw new UsageError('--json is the whole request: give it without other request options');
  return readJsonInput(io, path);
}

async function readParts(io: Io, parts: Parts): Promise<unknown> {
  if (parts.questionFile === '-' && parts.answerFile === '-') {
    throw new UsageError('only one of --question-file and --answer-file can be standard input');
  }
  const body: Readonly<Record<string, unknown>> = {
    ...fieldsOf(createRecordRequest, parts),
    question: await readTextOrHash(io, 'question', parts.questionText, parts.questionFile, parts.questionHash),
    answer: await readTextOrHash(io, 'answer', parts.answerText, parts.answerFile, parts.answerHash),
    source_refs: parts.source.length === 0 ? undefined : parts.source.map(parseSource),
    evidence_access_event_ids: parts.accessEvent.length === 0 ? undefined : parts.accessEvent,
  };
  if (parts.application === undefined)
    throw new UsageError('--application is missing (or --json with a whole request)');
  return given(body);
}

async function readTextOrHash(
  io: Io,
  name: string,
  text: string | undefined,
  file: string | undefined,
  hash: string | undefined,
): Promise<unknown> {
  if (text !== undefined && file !== undefined) throw new UsageError(`--${name}-text and --${name}-file: give one`);
  const whole = text ?? (file === undefined ? undefined : await readTextInput(io, file));
  if (whole === undefined && hash === undefined) {
    throw new UsageError(`the ${name} is missing: give --${name}-text, --${name}-file or --${name}-hash`);
  }
  return given({ text: whole, hash });
}
