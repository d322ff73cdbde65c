import {
  type CreateRunRequest,
  ENVIRONMENT_DEFAULT,
  type FindingTriage,
  type FindingType,
  type ReconciliationFinding,
  type ReconciliationRun,
  type TriagedFinding,
  type TriageOrder,
  type TriageState,
  type TriageStepRequest,
} from '@answer-evidence/contracts';
import { formatTimestamp, parseDateTime } from '@answer-evidence/encoding';
import { below, type Differences, differencesOf } from './differences.ts';

/** A run with the request for it. */
export function compareRun(sent: CreateRunRequest, run: ReconciliationRun): Differences {
  return differencesOf({
    '/application_key': [sent.application_key, run.application_key],
    '/environment': [sent.environment ?? ENVIRONMENT_DEFAULT, run.environment],
    '/window_start': [timeOf(sent.window_start), run.window_start],
    '/window_end': [timeOf(sent.window_end), run.window_end],
    '/match_on': [sent.match_on, run.match_on],
    '/max_lateness_seconds': [sent.max_lateness_seconds, run.max_lateness_seconds],
    '/references': [sent.references.length, run.references],
  });
}

/** What says of itself which run it is about. An older service does not. */
type OfRun = { readonly run_id?: string };

/** Runs in a list with what was asked of the list. */
export function compareListedRuns(
  filters: { readonly application_key?: string; readonly environment?: string },
  { items }: { readonly items: readonly ReconciliationRun[] },
): Differences {
  return items.flatMap((run, n) =>
    below(
      `/items/${n}`,
      differencesOf({
        '/application_key': [filters.application_key, run.application_key],
        '/environment': [filters.environment, run.environment],
      }),
    ),
  );
}

/** Findings with the run and the type that were asked for. */
export function compareFindings(
  runId: string,
  { type }: { readonly type?: FindingType },
  { items, ...page }: OfRun & { readonly items: readonly ReconciliationFinding[] },
): Differences {
  return [
    ...compareOfRun(runId, page),
    ...items.flatMap((finding, n) => differencesOf({ [`/items/${n}/type`]: [type, finding.type] })),
  ];
}

/** Which findings a list of the work on them holds, and their order. `assignee`: a member's id, `me` or `none`. */
export type TriageListFilters = {
  readonly type?: FindingType;
  readonly state?: TriageState;
  readonly assignee?: string;
  readonly due_before?: string;
  readonly overdue?: 'true' | 'false';
  readonly sort?: TriageOrder;
};

/** Findings and the work on them with the run and the filters that were asked for. */
export function compareTriage(
  runId: string,
  { type, state, assignee, due_before: before, overdue }: TriageListFilters,
  { items, ...page }: OfRun & { readonly items: readonly TriagedFinding[] },
): Differences {
  const end = before === undefined ? undefined : timeOf(before);
  // Whether a time is before now, only the service knows. Texts of this form sort in the order of their times.
  const isDue = (at: string | null | undefined): readonly [true | undefined, boolean] => [
    end === undefined && overdue !== 'true' ? undefined : true,
    typeof at === 'string' && (end === undefined || at < end),
  ];
  const of = ({ finding, triage }: TriagedFinding) =>
    differencesOf({
      '/finding/type': [type, finding.type],
      '/triage/state': [state, triage.state],
      '/triage/assignee': [assigneeOf(assignee), triage.assignee?.id ?? null],
      '/triage/due_at': isDue(triage.due_at),
    });
  return [...compareOfRun(runId, page), ...items.flatMap((item, n) => below(`/items/${n}`, of(item)))];
}

/** Who `me` is, only the service knows. */
function assigneeOf(assignee: string | undefined): string | null | undefined {
  if (assignee === 'none') return null;
  return assignee === 'me' ? undefined : assignee?.toLowerCase();
}

/** One finding with the place that was asked for. */
export function compareFinding(runId: string, position: number, found: FindingTriage): Differences {
  return [...compareOfRun(runId, found), ...differencesOf({ '/position': [position, found.position] })];
}

/** One finding with the step that was added to the work on it, after which others may have been. */
export function compareStep(
  runId: string,
  position: number,
  sent: TriageStepRequest,
  found: FindingTriage,
): Differences {
  const text = 'text' in sent ? (sent.text ?? null) : undefined;
  const due = 'due_at' in sent ? sent.due_at && timeOf(sent.due_at) : undefined;
  const isTaken = found.steps.some(
    (step) =>
      step.version > (sent.version ?? 0) &&
      step.action === (sent.action === 'schedule' ? 'assign' : sent.action) &&
      (step.text === null || text === undefined || step.text === text) &&
      (sent.action !== 'assign' || (step.assignee?.id ?? null) === (sent.assignee_id?.toLowerCase() ?? null)) &&
      (due === undefined || step.due_at === due) &&
      (sent.action !== 'resolve' || step.resolution === sent.resolution) &&
      (sent.action !== 'erase' || step.erases === sent.erases),
  );
  return [...compareFinding(runId, position, found), ...differencesOf({ '/steps': [true, isTaken] })];
}

/** A time as the service writes it. */
function timeOf(text: string): string {
  return formatTimestamp(parseDateTime(text));
}

function compareOfRun(runId: string, { run_id: shown }: OfRun): Differences {
  return shown === undefined ? [] : differencesOf({ '/run_id': [runId.toLowerCase(), shown] });
}

/** A file of a run with the run, by the name that the service gives it. */
export function compareRunFile(runId: string, headers: Headers): Differences {
  const name = headers.get('content-disposition');
  return name === null ? [] : differencesOf({ '/content-disposition': [true, name.includes(runId.toLowerCase())] });
}
