import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Client } from '@answer-evidence/client';
import {
  FINDING_TYPES,
  type FindingTriage,
  type FindingType,
  RESOLUTIONS,
  TRIAGE_ORDERS,
  TRIAGE_STATES,
  type TriagedFinding,
  type TriageOrder,
  type TriagePerson,
  type TriageState,
  type TriageStep,
  triageStepRequest,
} from '@answer-evidence/contracts';
import type { Context } from '../context.ts';
import { readTextInput } from '../files.ts';
import { parseWith } from '../issues.ts';
import { given, parseTimeOption } from '../options.ts';
import { asFields, asTable, type Block } from '../output/blocks.ts';
import { addPageOptions, pageOf, type PageOptions, showList } from '../paging.ts';
import { UsageError } from '../usage-error.ts';
import { findMember } from './members.ts';

type ListOptions = PageOptions & {
  readonly type?: FindingType;
  readonly state?: TriageState;
  readonly assignee?: string;
  readonly dueBefore?: string;
  readonly overdue?: true;
  readonly sort?: TriageOrder;
};
type StepOptions = {
  readonly seen?: number;
  readonly text?: string;
  readonly textFile?: string;
  readonly due?: string;
};

const FINDING = 'number of the finding, as `reconcile triage list` shows it';

/** `reconcile triage list|show|assign|schedule|comment|resolve|reopen|erase`. */
export function addTriageCommands(reconcile: Command, context: Context): void {
  const triage = reconcile
    .command('triage')
    .description('work on findings: assign, schedule, comment, resolve, reopen');
  addPageOptions(
    triage
      .command('list')
      .description('list findings with the work on them')
      .argument('<run>', 'id of the run')
      .addOption(new Option('--type <type>', 'filter by type').choices(FINDING_TYPES))
      .addOption(new Option('--state <state>', 'filter by state').choices(TRIAGE_STATES))
      .option('--assignee <who>', 'filter by who has it: me, none, or a username or id (managers)')
      .option('--due-before <time>', 'filter by when it is due: a day of UTC, which is left out, or RFC 3339', startOf)
      .option('--overdue', 'only what is open and was due before now')
      .addOption(new Option('--sort <order>', 'order; what is due first, or as found').choices(TRIAGE_ORDERS)),
  ).action(async (run: string, options: ListOptions) => {
    const client = await context.connect();
    const { type, state, assignee, dueBefore, sort } = options;
    const overdue = options.overdue === true ? ('true' as const) : undefined;
    const who =
      assignee === undefined || assignee === 'me' || assignee === 'none'
        ? assignee
        : (await findMember(client, assignee)).id;
    const filters = given({ type, state, assignee: who, due_before: dueBefore, overdue, sort });
    const page = await client.reconciliations.triage(run, filters, pageOf(options));
    showList(context, page, viewFindings, options, 'findings');
    const { open, assigned, resolved, overdue: late = 0 } = page.counts;
    if (!context.isQuiet())
      context.note(`Of the whole run: ${open} open (${assigned} assigned, ${late} overdue), ${resolved} resolved.`);
  });
  addFinding('show', 'show a finding and every step of the work on it').action((run: string, position: number) =>
    context.report((client) => client.reconciliations.findingTriage(run, position), viewFinding),
  );
  addStep('assign', 'assign a finding to a member, or to nobody')
    .requiredOption('--to <who>', 'me, none, or a username or id')
    .option('--due <time>', 'by when it should be resolved, as for `schedule`; without it, that stays', endOf)
    .action((run: string, position: number, options: StepOptions & { readonly to: string }) =>
      take(run, position, options, async (client) => {
        const due = options.due === undefined ? {} : { due_at: dueAtOf(options.due) };
        if (options.to === 'none') return { action: 'assign', assignee_id: null, ...due };
        const { id } = options.to === 'me' ? await client.whoami() : await findAssignee(client, run, options.to);
        return { action: 'assign', assignee_id: id, ...due };
      }),
    );
  addStep('schedule', 'say by when a finding should be resolved')
    .requiredOption('--due <time>', 'a day, of which the end in UTC counts, RFC 3339, or none', endOf)
    .action((run: string, position: number, options: StepOptions & { readonly due: string }) =>
      take(run, position, options, { action: 'schedule', due_at: dueAtOf(options.due) }),
    );
  addText(addStep('comment', 'write a comment about a finding')).action(
    (run: string, position: number, options: StepOptions) => take(run, position, options, { action: 'comment' }),
  );
  addText(addStep('resolve', 'say that nobody has to look at a finding any more, and why'))
    .addOption(new Option('--reason <reason>', 'why').choices(RESOLUTIONS).makeOptionMandatory())
    .action((run: string, position: number, options: StepOptions & { readonly reason: string }) =>
      take(run, position, options, { action: 'resolve', resolution: options.reason }),
    );
  addText(addStep('reopen', 'open a resolved finding again')).action(
    (run: string, position: number, options: StepOptions) => take(run, position, options, { action: 'reopen' }),
  );
  addStep('erase', 'erase the text of an earlier step; the step stays')
    .argument('<step>', 'number of the step', parseNumber)
    .action((run: string, position: number, erases: number, options: StepOptions) =>
      take(run, position, options, { action: 'erase', erases }),
    );

  function addFinding(name: string, description: string): Command {
    return triage
      .command(name)
      .description(description)
      .argument('<run>', 'id of the run')
      .argument('<finding>', FINDING, parseNumber);
  }

  function addStep(name: string, description: string): Command {
    return addFinding(name, description).option(
      '--seen <n>',
      'number of the last step that you have seen; refused if there is a newer one',
      parseNumber,
    );
  }

  async function take(run: string, position: number, options: StepOptions, step: object | StepMaker): Promise<void> {
    const text = await readText(options);
    const client = await context.connect();
    const asked: object = isStepMaker(step) ? await step(client) : step;
    const request = parseWith(triageStepRequest, { ...asked, ...given({ text, version: options.seen }) });
    const found = await client.reconciliations.takeStep(run, position, request);
    context.show({ json: found, blocks: () => viewFinding(found) });
  }

  async function readText({ text, textFile }: StepOptions): Promise<string | undefined> {
    if (text !== undefined && textFile !== undefined) throw new UsageError('--text and --text-file: give one');
    return textFile === undefined ? text : readTextInput(context.io, textFile);
  }
}

/** Who can have a finding of a run, by name or id; everybody who works on findings may ask for them. */
async function findAssignee(client: Client, run: string, who: string): Promise<TriagePerson> {
  const found = (await client.reconciliations.assignees(run)).find(
    ({ id, username }) => id === who.toLowerCase() || username === who,
  );
  if (found === undefined) throw new UsageError('--to: no member of this name or id can have a finding of this run');
  return found;
}

type StepMaker = (client: Client) => Promise<object>;

function isStepMaker(step: object): step is StepMaker {
  return typeof step === 'function';
}

function addText(command: Command): Command {
  return command
    .option('--text <text>', 'text, at most 2000 characters; without personal data where that is possible')
    .option('--text-file <file>', 'file with the text, or -');
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/** A day as its beginning in UTC, or a time of RFC 3339. */
function startOf(text: string): string {
  return parseTimeOption(DAY.test(text) ? `${text}T00:00:00Z` : text, ', or a day such as 2026-12-05');
}

/** A day as its end in UTC, a time of RFC 3339, or `none`. */
function endOf(text: string): string {
  if (text === 'none') return text;
  return parseTimeOption(DAY.test(text) ? `${text}T23:59:59Z` : text, ', a day such as 2026-12-05, or none');
}

function dueAtOf(due: string): string | null {
  return due === 'none' ? null : due;
}

function parseNumber(text: string): number {
  if (!/^(0|[1-9]\d{0,8})$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

function viewFindings(findings: readonly TriagedFinding[]): Block {
  return asTable(
    ['finding', 'type', 'reference', 'record', 'state', 'assignee', 'due', 'reason', 'steps'],
    findings.map(({ position, finding, triage }) => [
      position,
      finding.type,
      finding.reference_id,
      finding.answer_log_id,
      triage.state,
      triage.assignee?.username ?? null,
      triage.due_at ?? null,
      triage.resolution,
      triage.version,
    ]),
  );
}

function viewFinding({ position, finding, triage, steps }: FindingTriage): readonly Block[] {
  return [
    asFields([
      ['finding', position],
      ['type', finding.type],
      ['reference', finding.reference_id],
      ['record', finding.answer_log_id],
      ['state', triage.state],
      ['assignee', triage.assignee?.username ?? null],
      ['due', triage.due_at ?? null],
      ['reason', triage.resolution],
    ]),
    asTable(
      ['step', 'at', 'by', 'what', 'text'],
      steps.map((step, at) => [step.version, step.at, step.by.username, describe(step, steps[at - 1]), textOf(step)]),
    ),
  ];
}

function describe(step: TriageStep, before: TriageStep | undefined): string {
  const { action, resolution, erases } = step;
  if (action === 'assign') return describeAssignment(step, before);
  if (action === 'resolve') return `resolved: ${resolution ?? ''}`;
  if (action === 'erase') return `erased the text of step ${erases ?? ''}`;
  return action === 'comment' ? 'commented' : 'reopened';
}

/** What an assignment changed: who has the finding, by when it is due, or both. */
function describeAssignment({ assignee, due_at: due = null }: TriageStep, before: TriageStep | undefined): string {
  const to = assignee === null ? 'assigned to nobody' : `assigned to ${assignee.username}`;
  if (due === (before?.due_at ?? null)) return to;
  const by = due === null ? 'due at no time' : `due at ${due}`;
  return assignee?.id === before?.assignee?.id ? by : `${to}, ${by}`;
}

function textOf({ text, text_state: state }: TriageStep): string | null {
  return text ?? (state === null ? null : `(${state})`);
}
