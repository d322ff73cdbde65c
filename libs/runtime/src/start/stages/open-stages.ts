import type { Route, Stage } from '@answer-evidence/routes';
import { describeHostRoute } from '@answer-evidence/stage-workspace';
import type { Config } from '../../ground/config.ts';
import { STAGE_NAMES, type StageName } from '../../ground/stage-names.ts';
import { describeConsole, openConsole } from './console.ts';
import { describeEvidence, openEvidence } from './evidence.ts';
import { describeIngest, openIngest } from './ingest.ts';
import { describeOtlp, openOtlp } from './otlp.ts';
import { describeReconcile, openReconcile } from './reconcile.ts';
import { createSigningIn } from './signing-in.ts';
import type { OpenedStage, StageContext } from './stage-context.ts';
import { describeTrust, openTrust } from './trust.ts';
import { describeWorkspace, openWorkspace } from './workspace.ts';

/** One way to open each stage, and one to say which routes it has where it is not opened. */
const STAGES = {
  workspace: { open: openWorkspace, describe: describeWorkspace },
  ingest: { open: openIngest, describe: describeIngest },
  evidence: { open: openEvidence, describe: describeEvidence },
  trust: { open: openTrust, describe: describeTrust },
  reconcile: { open: openReconcile, describe: describeReconcile },
  otlp: { open: openOtlp, describe: describeOtlp },
  console: { open: openConsole, describe: describeConsole },
} satisfies Record<StageName, { open: (context: StageContext) => Promise<OpenedStage>; describe: Describe }>;

type Describe = (config: Config) => readonly Route[];

/** Opens the stages and only what they need; their `close` closes what was opened. Throws `StartError`. */
export async function openStages(
  names: readonly StageName[],
  context: Omit<StageContext, 'signingIn'>,
  onOpened: (opened: OpenedStage) => void,
): Promise<readonly Stage[]> {
  const whole: StageContext = { ...context, signingIn: createSigningIn(context.stores) };
  const stages: Stage[] = [];
  for (const name of names) {
    const opened = await STAGES[name].open(whole);
    onOpened(opened);
    stages.push(opened.stage);
  }
  return stages;
}

/**
 * The routes of every stage and of every process in one order, to be described and never to be called. Those of the
 * console are for its own pages, and no part of the API.
 */
export function describeRoutes(config: Config): readonly Route[] {
  const described = STAGE_NAMES.filter((name) => name !== 'console');
  return [...described.flatMap((name) => STAGES[name].describe(config)), describeHostRoute({})];
}

/** The routes of one stage, to be described and never to be called. */
export function describeStage(name: StageName, config: Config): readonly Route[] {
  return STAGES[name].describe(config);
}
