import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProofBundle, ReconciliationProof, RecordSetLine, TrustFile } from '@answer-evidence/contracts';
import { listSets } from './list-sets.ts';
import type { World } from './reseal.ts';
import type { RunWorld } from './reseal-run.ts';
import { listCalendars } from './sets/calendars.ts';
import { listEarlierRuns } from './sets/earlier-runs.ts';
import { listEntries } from './sets/entries.ts';
import { listEvidence } from './sets/evidence.ts';
import { listGiven } from './sets/given.ts';
import { listStampedTrees } from './sets/given-stamps.ts';
import { listHolds } from './sets/holds.ts';
import { listHybrid } from './sets/hybrid.ts';
import { listMeanings } from './sets/meanings.ts';
import { listOrders } from './sets/orders.ts';
import { listPacks } from './sets/packs.ts';
import { listParts } from './sets/parts.ts';
import { listPins } from './sets/pins.ts';
import { listPolicies } from './sets/policies.ts';
import { listOwnReceipts, listReceipts } from './sets/receipts.ts';
import { listRenewals } from './sets/renewals.ts';
import { listRuns } from './sets/runs.ts';
import { listStamps } from './sets/stamps.ts';
import { listTiles } from './sets/tiles.ts';
import { listTimes } from './sets/times.ts';
import type { WholeCase } from './sets/whole-case.ts';

/** The leaves are older than what any certificate of the suite is for, so that a token's time contradicts none. */
const YEARS_BACK = [/"at":"2026-/g, '"at":"2024-'] as const;
const SIZE = 79;

/** Draws every case of version 2 from the frozen artefacts. */
export function listWholeCases(frozen: string): readonly WholeCase[] {
  const entries = readEntries(readFileSync(join(frozen, `tlog/tile/entries/000.p/${SIZE}`)));
  const open = (name: string): World => {
    const text = readFileSync(join(frozen, `bundles/${name}.json`), 'utf8');
    const bundle = JSON.parse(text.replaceAll('\\"at\\":\\"2026-', '\\"at\\":\\"2024-')) as ProofBundle;
    bundle.anchors = [];
    bundle.policy = null;
    return { bundle, entries: entries.map((entry) => entry.replace(...YEARS_BACK)), trust: emptyTrust() };
  };
  const older = (text: string) => text.replaceAll('\\"at\\":\\"2026-', '\\"at\\":\\"2024-');
  const openRun = (n: 1 | 2): RunWorld => {
    const path = join(frozen, `runs/run-${n}`);
    const proof = JSON.parse(older(readFileSync(`${path}.proof.json`, 'utf8'))) as ReconciliationProof;
    const { core } = proof.run;
    for (const name of ['window_start', 'window_end', 'requested_at', 'decided_at'] as const)
      core[name] = core[name].replace('2026-', '2024-');
    const lines = readFileSync(`${path}.records.jsonl`, 'utf8').trim().split('\n');
    const records = lines.map((line) => JSON.parse(older(line)) as RecordSetLine);
    const list = listSets(frozen)
      .find(({ name }) => name === `run ${n}`)
      ?.files.find(({ name }) => name === 'references');
    const references = (list?.text ?? '').replaceAll('"occurred_at":"2026-', '"occurred_at":"2024-').trim().split('\n');
    proof.anchors = [];
    proof.policy = null;
    return {
      proof,
      references,
      records,
      entries: entries.map((entry) => entry.replace(...YEARS_BACK)),
      trust: emptyTrust(),
    };
  };
  return [
    ...listMeanings(open),
    ...listCalendars(open),
    ...listPolicies(open),
    ...listStamps(open),
    ...listRenewals(open),
    ...listPins(open),
    ...listOrders(open),
    ...listTimes(open),
    ...listRuns(openRun),
    ...listEarlierRuns(openRun),
    ...listParts(open),
    ...listOwnReceipts(open),
    ...listReceipts(open),
    ...listTiles(open),
    ...listGiven(open),
    ...listStampedTrees(open),
    ...listEvidence(open),
    ...listHolds(open),
    ...listEntries(open),
    ...listPacks(open),
    ...listHybrid(open),
  ];
}

const emptyTrust = (): TrustFile => ({
  format: 'answer-evidence-trust/v1',
  logs: [],
  witness_policy: null,
  tsa_roots: [],
});

function readEntries(tile: Uint8Array): string[] {
  const entries: string[] = [];
  for (let at = 0; at < tile.length;) {
    const length = ((tile[at] ?? 0) << 8) | (tile[at + 1] ?? 0);
    entries.push(new TextDecoder().decode(tile.subarray(at + 2, at + 2 + length)));
    at += 2 + length;
  }
  return entries;
}
