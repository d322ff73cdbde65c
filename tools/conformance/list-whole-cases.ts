import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProofBundle, TrustFile } from '@answer-evidence/contracts';
import type { World } from './reseal.ts';
import { listCalendars } from './sets/calendars.ts';
import { listMeanings } from './sets/meanings.ts';
import { listOrders } from './sets/orders.ts';
import { listPins } from './sets/pins.ts';
import { listPolicies } from './sets/policies.ts';
import { listStamps } from './sets/stamps.ts';
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
    const trust: TrustFile = {
      format: 'answer-evidence-trust/v1',
      logs: [],
      witness_policy: null,
      tsa_roots: [],
    };
    bundle.anchors = [];
    bundle.policy = null;
    return { bundle, entries: entries.map((entry) => entry.replace(...YEARS_BACK)), trust };
  };
  return [
    ...listMeanings(open),
    ...listCalendars(open),
    ...listPolicies(open),
    ...listStamps(open),
    ...listPins(open),
    ...listOrders(open),
    ...listTimes(open),
  ];
}

function readEntries(tile: Uint8Array): string[] {
  const entries: string[] = [];
  for (let at = 0; at < tile.length;) {
    const length = ((tile[at] ?? 0) << 8) | (tile[at + 1] ?? 0);
    entries.push(new TextDecoder().decode(tile.subarray(at + 2, at + 2 + length)));
    at += 2 + length;
  }
  return entries;
}
