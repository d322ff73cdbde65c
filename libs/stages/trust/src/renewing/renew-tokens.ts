import { type AnchorConfig, isTokenAnchor } from '@answer-evidence/contracts';
import { formatTimestamp, utf8 } from '@answer-evidence/encoding';
import { buildArchiveTree } from '@answer-evidence/merkle';
import {
  type AnchorOutcome,
  newId,
  type StoredAnchor,
  type VersionedTrustPolicy,
  type Workspace,
} from '@answer-evidence/ports';
import { confirmationOf, nextAttemptAt } from '../anchoring/anchor-state.ts';
import type { TrustDeps } from '../deps.ts';
import { describeWrongTime } from '../stated-time.ts';
import { readAnchoredText } from './anchored-text.ts';
import { gatherTokens } from './gather-tokens.ts';
import { isRenewalDue, type RenewalCause } from './plan-renewal.ts';
import {
  digestWith,
  findOpenRenewals,
  formatRenewal,
  formatRenewalId,
  parseRenewalId,
  readRenewal,
  type RenewalContents,
  type RenewalHash,
} from './stored-renewal.ts';

/** Why tokens are renewed at once, and by which hash; left out, by that of the last renewal. */
type GivenCause = { readonly cause: RenewalCause; readonly hash?: RenewalHash };

/**
 * Renews the tokens of a log where one of their certificates ends soon, or at once for a cause that is given: one
 * time-stamp over the hashes of all tokens since the last renewal, and of all renewals before. It is asked of each
 * authority of the policy in turn until one confirms; for an algorithm that weakens, of all of them, and the token is
 * kept whose certificate ends last. What it covers is stored before anybody is asked, so that a process that dies asks
 * for the same again. Only for anyone who leads the anchoring of this log.
 */
export async function renewTokens(
  deps: TrustDeps,
  workspace: Workspace,
  given: GivenCause | undefined,
  hurry: boolean,
  signal: AbortSignal,
): Promise<void> {
  const policy = await deps.trust.policy(workspace.id);
  const authorities = policy.values.anchors.filter(isTokenAnchor);
  if (authorities.length === 0 || deps.heads.isStopped(workspace.id)) return;
  const stored = await deps.trust.renewals(workspace.id);
  const inTime = findOpenRenewals(stored, deps.extractToken).filter((one) => isInTime(one, deps.clock.nowMicros()));
  const last = stored.findLast((one) => confirmationOf(one) !== undefined);
  const hash = given?.hash ?? findHash(last, inTime);
  const open = inTime.filter((one) => readRenewal(one).hash === hash);
  const cause = given?.cause ?? (await findCause(deps, workspace, last, open));
  if (cause === undefined) return;
  const begun = open.filter((one) => readRenewal(one).cause === cause);
  const done = stored.filter((one) => confirmationOf(one) !== undefined);
  let number = stored.length;
  const confirmed: Answer[] = [];
  for (const config of authorities) {
    if (signal.aborted) return;
    const own = begun.findLast(({ anchor }) => parseRenewalId(anchor.anchor_id).anchorId === config.id);
    number += own === undefined ? 1 : 0;
    const renewal = own ?? (await begin(deps, workspace, done, { config, cause, hash, number, policy }, signal));
    if (renewal === undefined) return;
    const nowMicros = deps.clock.nowMicros();
    if (!hurry && nextAttemptAt(renewal, nowMicros) > nowMicros) continue;
    const answer = await ask(deps, renewal, config, signal);
    if (answer === undefined) return;
    if (answer.outcome.kind === 'failed') await keep(deps, workspace, answer);
    else confirmed.push(answer);
    if (cause === 'certificate' && confirmed.length > 0) break;
  }
  const [best, ...others] = confirmed.toSorted((one, other) => endOf(other) - endOf(one));
  if (best === undefined) return;
  await keep(deps, workspace, best);
  for (const answer of others) await keep(deps, workspace, { ...answer, outcome: describePassedOver(answer, best) });
}

/** What an authority said to a renewal. */
type Answer = { readonly renewal: StoredAnchor; readonly config: AnchorConfig; readonly outcome: AnchorOutcome };

/** When the first certificate of a token ends; one of which nobody can say it comes last. */
function endOf({ outcome }: Answer): number {
  return outcome.kind === 'confirmed' ? (outcome.endsAt ?? 0) : 0;
}

function describePassedOver(answer: Answer, best: Answer): AnchorOutcome {
  const [end, later] = [answer, best].map((one) => formatTimestamp(endOf(one)).slice(0, 10));
  return {
    kind: 'failed',
    detail: `it confirmed, but its certificate ends on ${end}, and that of ${best.config.id}, which was kept, on ${later}`,
  };
}

/** Whether it is not too late for a renewal that was begun; otherwise another is begun, over what is still good. */
function isInTime(stored: StoredAnchor, nowMicros: number): boolean {
  const { endsAt } = readRenewal(stored);
  return endsAt === null || endsAt > nowMicros;
}

/** SHA-512 from the renewal on that hashes everything anew, or is to. */
function findHash(last: StoredAnchor | undefined, open: readonly StoredAnchor[]): RenewalHash {
  const known = [...(last === undefined ? [] : [last]), ...open];
  return known.some((one) => readRenewal(one).hash === 'sha-512') ? 'sha-512' : 'sha-256';
}

/** Why tokens are renewed now; one that was begun goes on for its own cause. */
async function findCause(
  { trust, clock, renewalLeadMicros: leadMicros }: TrustDeps,
  { id }: Workspace,
  last: StoredAnchor | undefined,
  begun: readonly StoredAnchor[],
): Promise<RenewalCause | undefined> {
  const [first] = begun;
  if (first !== undefined) return readRenewal(first).cause;
  const nowMicros = clock.nowMicros();
  const since = await trust.tokenEnds(id, last?.anchor.tree_size ?? -1, nowMicros);
  const own = last === undefined ? null : (confirmationOf(last)?.ends_at ?? null);
  const known = [since.earliest, own].filter((end) => end !== null && end > nowMicros) as readonly number[];
  const ends = {
    tokens: since.tokens + (last === undefined ? 0 : 1),
    unknown: since.unknown,
    earliest: known.length === 0 ? null : Math.min(...known),
  };
  return isRenewalDue({ ends, lastAt: last?.anchor.created_at, leadMicros, nowMicros }) ? 'certificate' : undefined;
}

/** Stores what a renewal is to cover; undefined where there is nothing. */
async function begin(
  deps: TrustDeps,
  workspace: Workspace,
  done: readonly StoredAnchor[],
  made: {
    readonly config: AnchorConfig;
    readonly cause: RenewalCause;
    readonly hash: RenewalHash;
    readonly number: number;
    readonly policy: VersionedTrustPolicy;
  },
  signal: AbortSignal,
): Promise<StoredAnchor | undefined> {
  const nowMicros = deps.clock.nowMicros();
  const tokens = await gatherTokens(deps, workspace, done, made.hash, nowMicros);
  if (tokens === undefined) return undefined;
  const { lists, faults } = await deps.readRevocations(tokens.newest, signal);
  const text = await readAnchoredText(deps, workspace, tokens.treeSize);
  const known = [...(text === undefined ? [] : [utf8(text)]), ...lists];
  const contents: RenewalContents = {
    covered: [...tokens.hashes, ...known.map((one) => digestWith(made.hash, one))],
    cause: made.cause,
    hash: made.hash,
    endsAt: tokens.endsAt,
    lists,
    faults,
  };
  const row = {
    id: newId(deps),
    tree_size: tokens.treeSize,
    anchor_id: formatRenewalId(made.config.id, made.number),
    type: made.config.type,
    policy_version: made.policy.version,
    created_at: nowMicros,
    ...formatRenewal(contents),
  };
  await deps.trust.addAnchors(workspace.id, [row]);
  return (await deps.trust.renewals(workspace.id)).find(({ anchor }) => anchor.id === row.id);
}

/** Asks for one renewal; undefined where this process stops. */
async function ask(
  deps: TrustDeps,
  renewal: StoredAnchor,
  config: AnchorConfig,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  const contents = readRenewal(renewal);
  const askedAt = deps.clock.nowMicros();
  const digest = buildArchiveTree(contents.covered).root;
  const came = await deps.anchors[config.type].submit({ config, note: '', digest, signal });
  const outcome = judgeOutcome(came, contents, askedAt, deps.clock.nowMicros());
  // A process that stops has not been refused by anybody.
  return outcome.kind === 'failed' && signal.aborted ? undefined : { renewal, config, outcome };
}

async function keep(deps: TrustDeps, workspace: Workspace, { renewal, outcome }: Answer): Promise<void> {
  const { faults } = readRenewal(renewal);
  const isConfirmed = outcome.kind === 'confirmed';
  await deps.trust.addAttempt(workspace.id, {
    anchor: renewal.anchor.id,
    attempt: renewal.attempts.length + 1,
    at: deps.clock.nowMicros(),
    outcome: outcome.kind,
    detail: [outcome.detail, ...faults].join('; '),
    anchored_at: isConfirmed ? outcome.at : null,
    artefact: isConfirmed ? outcome.artefact : null,
    ends_at: isConfirmed ? (outcome.endsAt ?? null) : null,
  });
}

/** A renewal for the end of a certificate is none if its own ends no later: nothing would be good for longer. */
function judgeOutcome(
  outcome: AnchorOutcome,
  { cause, endsAt }: RenewalContents,
  askedAt: number,
  answeredAt: number,
): AnchorOutcome {
  if (outcome.kind === 'failed' || outcome.at === null) return outcome;
  const wrong = describeWrongTime(outcome.at, askedAt, answeredAt);
  if (wrong !== undefined) return { kind: 'failed', detail: `the response is refused: ${wrong}` };
  if (endsAt !== null && outcome.at > endsAt)
    return {
      kind: 'failed',
      detail: `it came after a certificate that it covers ended, at ${formatTimestamp(endsAt)}`,
    };
  const ends = outcome.endsAt;
  if (cause === 'algorithm' || endsAt === null || ends === undefined || ends > endsAt) return outcome;
  const end = formatTimestamp(ends).slice(0, 10);
  return {
    kind: 'failed',
    detail: `its own certificate ends on ${end}, no later than one that it renews: another authority is needed`,
  };
}
