import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Client } from '@answer-evidence/client';
import {
  FINDING_TYPES,
  type FindingTriage,
  type FindingType,
  RESOLUTIONS,
  TRIAGE_STATES,
  type TriagedFinding,
  type TriagePerson,
  type TriageState,
  type TriageStep,
  triageStepRequest,
} from '@answer-evidence/contracts';
import type { Context } from '../context.ts';
import { readTextInput } from '../files.ts';
import { parseWith } from '../issues.ts';
import { given } from '../options.ts';
import { asFields, asTable, type Block } from '../output/blocks.ts';
import { addPageOptions, pageOf, type PageOptions, showList } from '../paging.ts';
import { UsageError } from '../usage-error.ts';
import { findMember } from './members.ts';

type ListOptions = PageOptions & {
  readonly type?: FindingType;
  readonly state?: TriageState;
  readonly assignee?: string;
};
type StepOptions = { readonly seen?: number; readonly text?: string; readonly textFile?: string };

const FINDING = 'number of the finding, as `reconcile triage list` shows it';

/** `reconcile triage list|show|assign|comment|resolve|reopen|erase`. */
export function addTriageCommands(reconcile: Command, context: Context): void {
  const triage = reconcile.command('triage').description('work on findings: assign, comment, resolve, reopen');
  addPageOptions(
    triage
      .command('list')
      .description('list findings with the work on them')
      .argument('<run>', 'id of the run')
      .addOption(new Option('--type <type>', 'filter by type').choices(FINDING_TYPES))
      .addOption(new Option('--state <state>', 'filter by state').choices(TRIAGE_STATES))
      .option('--assignee <who>', 'filter by who has it: me, none, or a username or id (managers)'),
  ).action(async (run: string, options: ListOptions) => {
    const client = await context.connect();
    const { type, state, assignee } = options;
    const who =
      assignee === undefined || assignee === 'me' || assignee === 'none'
        ? assignee
        : (await findMember(client, assignee)).id;
    const page = await client.reconciliations.triage(run, given({ type, state, assignee: who }), pageOf(options));
    showList(context, page, viewFindings, options, 'findings');
    const { open, assigned, resolved } = page.counts;
    if (!context.isQuiet())
      context.note(`Of the whole run: ${open} open (${assigned} assigned), ${resolved} resolved.`);
  });
  addFinding('show', 'show a finding and every step of the work on it').action((run: string, position: number) =>
    context.report((client) => client.reconciliations.findingTriage(run, position), viewFinding),
  );
  addStep('assign', 'assign a finding to a member, or to nobody')
    .requiredOption('--to <who>', 'me, none, or a username or id')
    .action((run: string, position: number, options: StepOptions & { readonly to: string }) =>
      take(run, position, options, async (client) => {
        if (options.to === 'none') return { action: 'assign', assignee_id: null };
        const { id } = options.to === 'me' ? await client.whoami() : await findAssignee(client, run, options.to);
        return { action: 'assign', assignee_id: id };
      }),
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

function parseNumber(text: string): number {
  if (!/^(0|[1-9]\d{0,8})$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

function viewFindings(findings: readonly TriagedFinding[]): Block {
  return asTable(
    ['finding', 'type', 'reference', 'record', 'state', 'assignee', 'reason', 'steps'],
    findings.map(({ position, finding, triage }) => [
      position,
      finding.type,
      finding.reference_id,
      finding.answer_log_id,
      triage.state,
      triage.assignee?.username ?? null,
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
      ['reason', triage.resolution],
    ]),
    asTable(
      ['step', 'at', 'by', 'what', 'text'],
      steps.map((step) => [step.version, step.at, step.by.username, describe(step), textOf(step)]),
    ),
  ];
}

function describe({ action, assignee, resolution, erases }: TriageStep): string {
  if (action === 'assign') return assignee === null ? 'assigned to nobody' : `assigned to ${assignee.username}`;
  if (action === 'resolve') return `resolved: ${resolution ?? ''}`;
  if (action === 'erase') return `erased the text of step ${erases ?? ''}`;
  return action === 'comment' ? 'commented' : 'reopened';
}

function textOf({ text, text_state: state }: TriageStep): string | null {
  return text ?? (state === null ? null : `(${state})`);
}
