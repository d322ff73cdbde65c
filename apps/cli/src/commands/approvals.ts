import { type Command, Option } from 'commander';
import {
  type Approval,
  APPROVAL_STATES,
  type ApprovalState,
  requestApprovalRequest,
  type RequestedAct,
  requestedEvent,
} from '@answer-evidence/contracts';
import type { Context } from '../context.ts';
import { parseWith } from '../issues.ts';
import { asFields, asTable, type Block } from '../output/blocks.ts';
import { addCursorOptions, pageOf, type PageOptions, showList } from '../paging.ts';

type EventOptions = { readonly reason: string; readonly eventReason?: string; readonly reasonCode?: string };

/** What asks a second person for what a command does, instead of doing it. */
export const ASK_OPTION = ['--ask <why>', 'ask a second person for it, who then does it by approving'] as const;

/** What names the approved request for an export. */
export const APPROVAL_OPTION = ['--approval <id>', 'the approved request for exactly this, which it uses up'] as const;

/** Asks a second person for an act, and shows the request. */
export async function askFor(context: Context, reason: string, act: RequestedAct): Promise<void> {
  const body = parseWith(requestApprovalRequest, { reason, ...act });
  showApproval(context, await (await context.connect()).approvals.request(body));
}

/** `approvals list|show|request|approve|decline|withdraw`: acts that need a second person. */
export function addApprovalCommands(program: Command, context: Context): void {
  const approvals = program.command('approvals').description('acts that need a second person');
  addCursorOptions(
    approvals
      .command('list')
      .description('list requests and what became of them, newest first')
      .addOption(new Option('--state <state>', 'only requests in this state').choices(APPROVAL_STATES)),
  ).action(async ({ state, ...options }: PageOptions & { readonly state?: ApprovalState }) => {
    const filter = state === undefined ? {} : { state };
    const found = await (await context.connect()).approvals.list({ ...filter, ...pageOf(options) });
    showList(context, found, viewApprovals, options, 'requests');
  });
  approvals
    .command('show')
    .description('show one request, and what was asked for while it is open')
    .argument('<id>', 'id of the request')
    .action(async (id: string) => showApproval(context, await (await context.connect()).approvals.get(id)));
  approvals
    .command('request')
    .description('ask for a void or a redaction, which another manager approves')
    .argument('<type>', 'voided or redacted')
    .argument('<record>', 'id of the record')
    .requiredOption('--reason <text>', 'why a second person should approve it; the log keeps it')
    .option('--event-reason <text>', 'the reason of the event itself')
    .option('--reason-code <code>', 'the reason code of the event')
    .action(async (type: string, record: string, { reason, eventReason, reasonCode }: EventOptions) => {
      const event = {
        answer_log_id: record,
        event_type: type,
        ...(eventReason === undefined ? {} : { reason: eventReason }),
        ...(reasonCode === undefined ? {} : { payload: { reason_code: reasonCode } }),
      };
      await askFor(context, reason, { event: parseWith(requestedEvent, event) });
    });
  const ends = [
    ['approve', 'approve a request of somebody else, which does what it asks for'],
    ['decline', 'decline a request of somebody else'],
    ['withdraw', 'withdraw a request of your own'],
  ] as const;
  for (const [name, description] of ends)
    approvals
      .command(name)
      .description(description)
      .argument('<id>', 'id of the request')
      .action(async (id: string) => showApproval(context, await (await context.connect()).approvals[name](id)));
}

function viewApprovals(items: readonly Approval[]): Block {
  return asTable(
    ['id', 'act', 'state', 'about', 'asked by', 'asked', 'expires', 'reason'],
    items.map((one) => [
      one.id,
      one.act,
      one.state,
      subjectOf(one),
      one.requested_by.id,
      one.requested_at,
      one.expires_at,
      one.reason,
    ]),
  );
}

/** Shows a request, and what was asked for while it is open. */
function showApproval(context: Context, one: Approval): void {
  const requested = Object.entries(one.request ?? {}).map(([name, value]) => [name, JSON.stringify(value)] as const);
  context.show({
    json: one,
    blocks: () =>
      asFields([
        ['id', one.id],
        ['act', one.act],
        ['state', one.state],
        ['about', subjectOf(one)],
        ['reason', one.reason],
        ...requested,
        ['asked by', one.requested_by.id],
        ['asked', one.requested_at],
        ['expires', one.expires_at],
        ['decided by', one.decided_by?.id ?? null],
        ['decided', one.decided_at],
        ['entries', one.entry_ids.join(' ')],
      ]),
  });
}

function subjectOf({ subject }: Approval): string {
  return subject.answer_log_id ?? subject.member_id ?? subject.hold_id ?? 'the workspace';
}
