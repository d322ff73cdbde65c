import { formatHex } from '@answer-evidence/encoding';
import { parseNote, parseWitnessPolicy, type PolicyWitness } from '@answer-evidence/note';
import { proveGrowth, type Workspace } from '@answer-evidence/ports';
import type { PublishedRow, WitnessStateRow } from '@answer-evidence/tables';
import type { TrustDeps } from '../deps.ts';
import { notAhead } from '../not-ahead.ts';
import { describeWrongTime } from '../stated-time.ts';
import { type AskOutcome, askWitness } from './ask-witness.ts';
import { describeFailure } from './describe-failure.ts';

const SECOND_MICROS = 1_000_000;
const FIRST_PAUSE_SECONDS = 5;
const PAUSE_SECONDS_MAX = 900;

/** For which reason witnesses are asked: it is time, somebody waits, or the process starts. */
type Occasion = 'due' | 'hurry' | 'start';

/**
 * Asks every witness of the policy that has not cosigned the newest published checkpoint and whose pause is over, all
 * at once; at a start every one, since a database that was rolled back was so with its cosignatures. A witness that has
 * seen more of the log than the database holds, or another tree, stops the log. Only for anyone who leads the
 * witnessing of this log. A cosignature is kept before the witness's state, so that none is forgotten. Returns when a
 * witness is to be asked again about this checkpoint (µs), if any is.
 */
export async function collectCosignatures(
  deps: TrustDeps,
  workspace: Workspace,
  occasion: Occasion,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { values } = await deps.trust.policy(workspace.id);
  const { witnesses } = parseWitnessPolicy(values.witness_policy);
  if (witnesses.length === 0) return undefined;
  const newest = await deps.trust.newestPublished(workspace.id);
  if (newest === undefined) return undefined;
  const cosigned = new Set(
    (await deps.trust.cosignatures(workspace.id, newest.tree_size)).map((row) => formatHex(row.public_key)),
  );
  const states = new Map(
    (await deps.trust.witnessStates(workspace.id)).map((state) => [formatHex(state.public_key), state]),
  );
  const nowMicros = deps.clock.nowMicros();
  const due: PolicyWitness[] = [];
  const next: number[] = [];
  for (const witness of witnesses) {
    const key = formatHex(witness.vkey.publicKey);
    if (occasion !== 'start' && cosigned.has(key)) continue;
    const at = nextAttemptAt(states.get(key), nowMicros);
    if (occasion !== 'due' || at <= nowMicros) due.push(witness);
    else next.push(at);
  }
  if (signal.aborted) return undefined;
  // Waits for all of them, also when one cannot be asked: anyone who leads next must not ask beside them.
  const asked = await Promise.allSettled(
    due.map((witness) =>
      askOne(deps, workspace, newest, witness, states.get(formatHex(witness.vkey.publicKey)), signal),
    ),
  );
  for (const outcome of asked) {
    if (outcome.status === 'rejected') throw outcome.reason;
    if (outcome.value !== undefined) next.push(outcome.value);
  }
  return next.length === 0 ? undefined : Math.min(...next);
}

/** Returns when a witness that has not cosigned is asked again (µs). */
async function askOne(
  deps: TrustDeps,
  workspace: Workspace,
  published: PublishedRow,
  witness: PolicyWitness,
  before: WitnessStateRow | undefined,
  signal: AbortSignal,
): Promise<number | undefined> {
  const askedAt = deps.clock.nowMicros();
  const asked = await askWitness(deps, {
    witness,
    signal,
    note: await (await deps.logs.signer(workspace.id)).sign({ size: published.tree_size, root: published.root }),
    knownSize: before?.tree_size ?? undefined,
    readProof: async (fromSize) => {
      const { nodes } = await deps.logs.snapshot(workspace.id);
      // A witness that is given a wrong proof says that it has seen another log.
      return proveGrowth(nodes, { size: fromSize }, { size: published.tree_size, root: published.root });
    },
  });
  // A process that stops has not been refused by anybody.
  if (asked.kind === 'failed' && signal.aborted) return undefined;
  const nowMicros = deps.clock.nowMicros();
  // A witness may send again what it signed when it was asked before, but nothing from before the checkpoint.
  const outcome = withinTime(asked, Math.min(askedAt, published.published_at), nowMicros);
  if (outcome.kind === 'cosigned') {
    const { vkey, line } = outcome.cosignature;
    const [signature] = parseNote(`-\n\n${line}`).signatures;
    if (signature === undefined) throw new Error('a verified cosignature has a line');
    await deps.trust.addCosignature(workspace.id, {
      tree_size: published.tree_size,
      public_key: witness.vkey.publicKey,
      vkey,
      signature: signature.signature,
      received_at: nowMicros,
    });
  }
  const state = stateAfter(outcome, witness, before, nowMicros);
  await deps.trust.putWitnessState(workspace.id, state);
  if (outcome.kind === 'cosigned') return undefined;
  await hearRefusal(deps, workspace, witness, outcome);
  return state.next_attempt_at;
}

function withinTime(outcome: AskOutcome, earliest: number, latest: number): AskOutcome {
  if (outcome.kind === 'failed') return outcome;
  const wrong = describeWrongTime(outcome.cosignature.timestamp * SECOND_MICROS, earliest, latest);
  if (wrong === undefined) return outcome;
  return { kind: 'failed', reason: 'cosignature_time_wrong', witnessSize: undefined, detail: wrong };
}

/** Stops the log when a refusal shows that the witness has seen another history than the database holds. */
async function hearRefusal(
  deps: TrustDeps,
  workspace: Workspace,
  { name }: PolicyWitness,
  { reason, witnessSize: treeSize }: Extract<AskOutcome, { readonly kind: 'failed' }>,
): Promise<void> {
  if (treeSize === undefined) return;
  // Read after the reply: whatever the witness has seen was committed before that.
  const { head } = await deps.logs.snapshot(workspace.id);
  // A proof from the size that the witness named is made from this log, so it fails on another log only.
  if (treeSize <= head.tree_size && reason !== 'tree_refused') return;
  const party = `the witness ${name}`;
  const claim = { party, treeSize, rootHash: undefined, seenAt: undefined };
  await deps.heads.dispute(workspace, { ...claim, heldSize: head.tree_size });
}

/** When a witness is asked again (µs). */
function nextAttemptAt(state: WitnessStateRow | undefined, nowMicros: number): number {
  if (state === undefined) return 0;
  const pause = pauseAfter(state.failures);
  return notAhead(state.next_attempt_at - pause, nowMicros) + pause;
}

/** How long a witness is not asked after so many failures in a row (µs). */
function pauseAfter(failures: number): number {
  if (failures === 0) return 0;
  return Math.min(FIRST_PAUSE_SECONDS * 2 ** Math.min(failures - 1, 20), PAUSE_SECONDS_MAX) * SECOND_MICROS;
}

/** A failed witness is asked again after a pause that doubles, from the size that it is known to have cosigned. */
function stateAfter(
  outcome: AskOutcome,
  { vkey }: PolicyWitness,
  before: WitnessStateRow | undefined,
  nowMicros: number,
): WitnessStateRow {
  if (outcome.kind === 'cosigned')
    return {
      public_key: vkey.publicKey,
      tree_size: outcome.size,
      failures: 0,
      last_error: null,
      next_attempt_at: nowMicros,
    };
  const failures = (before?.failures ?? 0) + 1;
  return {
    public_key: vkey.publicKey,
    tree_size: before?.tree_size ?? null,
    failures,
    last_error: describeFailure(outcome),
    next_attempt_at: nowMicros + pauseAfter(failures),
  };
}
