import { type Command, Option } from 'commander';
import { type CreateEventRequest, createEventRequest, EVENT_TYPES } from '@answer-evidence/contracts';
import type { Context } from '../context.ts';
import { readJsonInput, readTextInput } from '../files.ts';
import type { Io } from '../io.ts';
import { parseWith } from '../issues.ts';
import { collect, given, parseTimeOption } from '../options.ts';
import { viewRecord } from '../record-view.ts';
import { UsageError } from '../usage-error.ts';

type Options = {
  readonly type: string;
  readonly reason?: string;
  readonly payload?: string;
  readonly reasonCode?: string;
  readonly redactSourceRef: readonly string[];
  readonly redactSemanticRefs?: boolean;
  readonly redactEvent: readonly string[];
  readonly correctedText?: string;
  readonly correctedFile?: string;
  readonly correctedHash?: string;
  readonly retainUntil?: string;
  readonly idempotencyKey?: string;
};

/** `records event`. */
export function addEventCommand(records: Command, context: Context): void {
  records
    .command('event')
    .description('append an event to a record: correction, void, redaction or retention extension')
    .argument('<id>', 'id of the record')
    .addOption(new Option('--type <type>', 'type of the event').choices(EVENT_TYPES).makeOptionMandatory())
    .option('--reason <text>', 'reason, at most 4000 characters')
    .option('--corrected-text <text>', 'correction: the right answer as text')
    .option('--corrected-file <file>', 'correction: file with the right answer, or -')
    .option('--corrected-hash <hash>', 'correction: commitment computed by you, sha256:<hex>')
    .option('--reason-code <code>', 'redaction: reason code, which stays readable')
    .option('--redact-source-ref <id>', 'redaction: source to redact as well; repeatable', collect, [])
    .option('--redact-semantic-refs', 'redaction: redact all semantic refs as well')
    .option(
      '--redact-event <id>',
      'redaction: earlier event to name; the reasons and payloads of all earlier events go; repeatable',
      collect,
      [],
    )
    .option('--retain-until <time>', 'retention: keep the text until this time (RFC 3339)', (text) =>
      parseTimeOption(text),
    )
    .option('--payload <file>', 'further payload as a JSON object (file, or -)')
    .option('--idempotency-key <key>', 'idempotency key, the same for every retry of this event; default: random')
    .action(async (id: string, options: Options) => {
      const { idempotencyKey } = options;
      if (idempotencyKey !== undefined && !/^[\x21-\x7e]{1,200}$/.test(idempotencyKey)) {
        throw new UsageError('--idempotency-key must be 1 to 200 visible ASCII characters');
      }
      const request = await readRequest(context.io, options);
      const client = await context.connect();
      const record = await client.records.appendEvent(id, request, idempotencyKey);
      context.show({ json: record, blocks: () => viewRecord(record) });
    });
}

async function readRequest(io: Io, options: Options): Promise<CreateEventRequest> {
  const payload = await readPayload(io, options);
  return parseWith(createEventRequest, {
    event_type: options.type,
    ...given({ reason: options.reason, payload }),
  });
}

async function readPayload(io: Io, options: Options): Promise<unknown> {
  if (options.correctedText !== undefined && options.correctedFile !== undefined) {
    throw new UsageError('--corrected-text and --corrected-file: give one');
  }
  const text =
    options.correctedText ??
    (options.correctedFile === undefined ? undefined : await readTextInput(io, options.correctedFile));
  const named = {
    corrected_answer_text: text,
    corrected_answer_hash: options.correctedHash,
    reason_code: options.reasonCode,
    redact_source_ref_ids: options.redactSourceRef.length === 0 ? undefined : options.redactSourceRef,
    redact_semantic_refs: options.redactSemanticRefs,
    redact_event_ids: options.redactEvent.length === 0 ? undefined : options.redactEvent,
    retain_until: options.retainUntil,
  };
  const members = given(named);
  if (options.payload === undefined) return Object.keys(members).length === 0 ? undefined : members;
  const whole = await readJsonInput(io, options.payload);
  if (typeof whole !== 'object' || whole === null || Array.isArray(whole)) {
    throw new UsageError(`${options.payload}: not a JSON object`);
  }
  return Object.fromEntries([...Object.entries(whole), ...Object.entries(members)]);
}
