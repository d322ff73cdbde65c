import { quirksOf } from '../dialects/quirks.ts';
import { isRefusal } from '../item/refusal.ts';
import { readObject } from '../item/written-object.ts';
import type { Candidate } from './candidates.ts';
import type { KnownTrace } from './known-trace.ts';
import { isEarlier, isLater } from './span-order.ts';
import { spanKeyOf } from './span-tree.ts';

/** Texts of an object that are shorter could stand in any question. */
const TEXT_LENGTH_MIN = 8;

/**
 * Takes a trace that may hold turns of a conversation (`holdsTurns`) for these turns, if each of them was asked
 * something of its own: agents that nobody asked before, and with what no agent before said. Agents that run in a
 * sequence, hand over or run side by side are of one turn, which has the question of the first and the answer of the
 * last of them. One of `branches` that ends with agents side by side has an answer of each.
 */
export function splitTurns(candidates: readonly Candidate[], { tree, asides }: KnownTrace): readonly Candidate[] {
  const traces = candidates.filter(({ item }) => quirksOf(item.scopeName).holdsTurns !== undefined && !item.marked);
  if (traces.length < 2) return candidates;
  const keys = new Set(traces.flatMap(({ item }) => spanKeyOf(item) ?? []));
  const below = Map.groupBy(
    traces.filter(({ item }) => !tree.isBelow(item, asides)),
    ({ item }) => tree.ancestorsOf(item).find((key) => keys.has(key)),
  );
  const replaced = new Map<Candidate, readonly Candidate[]>();
  for (const trace of traces) {
    const agents = below.get(spanKeyOf(trace.item) ?? '') ?? [];
    if (tree.ancestorsOf(trace.item).some((key) => keys.has(key)) || agents.length < 2) continue;
    const isOfBranches = quirksOf(trace.item.scopeName).holdsTurns === 'branches';
    const turns = isOfBranches ? groupBranches(agents) : groupTurns(agents);
    if (turns.length < 2) continue;
    replaced.set(trace, []);
    for (const turn of turns) joinTurn(turn, replaced);
  }
  return candidates.flatMap((candidate) => replaced.get(candidate) ?? candidate);
}

/** Runs in the order of their starts, those of one turn together. */
export function groupTurns(agents: readonly Candidate[]): readonly (readonly Candidate[])[] {
  const turns: (readonly Candidate[])[] = [];
  for (const agent of agents.toSorted((a, b) => (isEarlier(a.item, b.item) ? -1 : 1))) {
    const turn = turns.at(-1) ?? [];
    if (turn.every((before) => isUnrelated(before, agent))) turns.push([agent]);
    else turns[turns.length - 1] = [...turn, agent];
  }
  return turns;
}

/** Agents at the end that ran side by side, each by itself; none if one ended them. */
function groupBranches(agents: readonly Candidate[]): readonly (readonly Candidate[])[] {
  const [last, ...before] = agents.toSorted((a, b) => (isLater(a.item, b.item) ? -1 : 1));
  const beside = before.filter(({ item }) => last !== undefined && last.item.startedAtUnixNano < item.endedAtUnixNano);
  return last === undefined || beside.length < before.length ? [] : [last, ...before].map((agent) => [agent]);
}

function joinTurn(turn: readonly Candidate[], replaced: Map<Candidate, readonly Candidate[]>): void {
  const [first, last] = [turn[0], turn.at(-1)];
  if (first === undefined || last === undefined || isRefusal(first.content) || isRefusal(last.content)) return;
  for (const agent of turn) replaced.set(agent, [{ ...agent, isPart: true }]);
  replaced.set(last, [{ ...last, content: { ...last.content, question: first.content.question } }]);
}

/** The last of the runs or calls of one turn, with what the first that says so was asked. */
export function joinedTurn(turn: readonly Candidate[], last: Candidate): Candidate {
  const asked = turn.find(({ content }) => !isRefusal(content) && content.question !== null);
  if (asked === undefined || isRefusal(asked.content) || isRefusal(last.content)) return last;
  const { question, isPrompt = false } = asked.content;
  return {
    ...last,
    isBorrowed: asked.isBorrowed ?? asked.isModelCall,
    content: { ...last.content, question, isPrompt },
  };
}

/** Whether an agent came after another one, and was asked something else that the other one did not say. */
function isUnrelated(before: Candidate, agent: Candidate): boolean {
  if (isRefusal(before.content) || isRefusal(agent.content)) return false;
  const asked = agent.content.question?.text;
  const asBefore = before.content.question?.text;
  if (asked === undefined || asBefore === undefined || asked === asBefore) return false;
  if (agent.item.startedAtUnixNano < before.item.endedAtUnixNano) return false;
  const said = before.content.answer?.text?.trim() ?? '';
  if (said === '' || asked.includes(said)) return said === '';
  const texts = Object.values(readObject(said) ?? {}).filter((member) => typeof member === 'string');
  return !texts.some((text) => text.length >= TEXT_LENGTH_MIN && asked.includes(text));
}
