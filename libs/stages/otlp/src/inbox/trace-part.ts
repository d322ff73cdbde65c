import type { Actor } from '@answer-evidence/contracts';
import { canonicalize, MICROS_PER_SECOND, parseJsonText } from '@answer-evidence/encoding';
import type { VersionedSettings } from '@answer-evidence/ledger';
import { findStated, linksOf, type ReducedItem, refusedOf, type RejectedItem } from '@answer-evidence/otlp-mapping';
import { type ArrivedTrace, newId, type ObjectKey, type TraceName, type Workspace } from '@answer-evidence/ports';
import { commitmentKey, type HashKeys } from '@answer-evidence/preparation';
import type { OtlpDeps } from '../deps.ts';
import { assertReadable } from './assert-readable.ts';
import { prepareItem } from './prepare-item.ts';
import { refuseItem } from './refuse-item.ts';

/** What a request brings of a trace that is not decided with the request alone. */
export type HeldTrace = TraceName & {
  readonly items: readonly ReducedItem[];
  /** Some of its items wait; without any it is kept for what comes later. */
  readonly isOpen: boolean;
  /** What is kept of it already may be decided with this. */
  readonly isRipe: boolean;
};

/** Items of a request as they are kept: with the settings they were accepted under, and who sent them. */
export type TracePart = {
  readonly settings: VersionedSettings;
  readonly actor: Actor;
  readonly items: readonly ReducedItem[];
};

type Instant = 'startedAtUnixNano' | 'endedAtUnixNano';

/** Missing in what was accepted before it was kept. */
type Later =
  | 'scopeName'
  | 'reason'
  | 'isAside'
  | 'isCheck'
  | 'isCheckIfNested'
  | 'hasFailed'
  | 'isOfGenAi'
  | 'asked'
  | 'written'
  | 'retrieved';

/** As it stands in JSON. */
type Packed = {
  readonly part: Omit<TracePart, 'items'>;
  readonly items: readonly (Omit<ReducedItem, Instant | Later> &
    Partial<Pick<ReducedItem, Later>> &
    Readonly<Record<Instant, string>>)[];
};

/** Seals a part. Its items show what the rules made of them, so the rules are left out: they may be long. */
export function sealPart(key: ObjectKey, { items, actor, settings }: TracePart): Uint8Array {
  const part = { actor, settings: { ...settings, values: { ...settings.values, answer_audit_otlp_rules: [] } } };
  return key.seal('items', `{"part":${JSON.stringify(part)},"items":${textOf(items)}}`);
}

/** Seals a part of which nothing is left. */
export function sealNothing(key: ObjectKey): Uint8Array {
  return key.seal('items', '{"part":{},"items":[]}');
}

/** As text. The positions that items had in their request mean nothing any more. */
function textOf(items: readonly ReducedItem[]): string {
  const placed = items.map((item) => ({ ...item, index: 0 }));
  return JSON.stringify(placed, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

/** Opens a part. Throws `VaultError` when anything was altered. */
export function openPart(key: ObjectKey, sealed: Uint8Array): TracePart {
  // What authenticates was written by this service, so its shape needs no check.
  const { part, items } = parseJsonText(key.open('items', sealed)) as unknown as Packed;
  return {
    ...part,
    items: items.map((item) => ({
      scopeName: '',
      reason: null,
      isAside: false,
      isCheck: false,
      isCheckIfNested: false,
      hasFailed: false,
      asked: null,
      written: [],
      isOfGenAi: false,
      retrieved: null,
      ...item,
      startedAtUnixNano: BigInt(item.startedAtUnixNano),
      endedAtUnixNano: BigInt(item.endedAtUnixNano),
    })),
  };
}

type JudgeDeps = Pick<OtlpDeps, 'clock' | 'clockGuard' | 'random'> & { readonly hashKeys: HashKeys };

/**
 * Judges what waits by the settings, as it would be judged as a record: what they refuse is refused now, and only its
 * place in its trace is kept.
 */
export async function judgeHeld(
  deps: JudgeDeps,
  workspace: Workspace,
  settings: VersionedSettings,
  held: HeldTrace,
  actor: Actor,
): Promise<{ readonly held: HeldTrace; readonly rejected: readonly RejectedItem[] }> {
  const hashKey = await commitmentKey(deps.hashKeys, workspace, settings);
  const rejected: RejectedItem[] = [];
  const items: ReducedItem[] = [];
  for (const item of held.items) {
    const stated = findStated(item);
    try {
      assertReadable(textOf([item]));
      if (stated !== null && (stated.question !== null || stated.answer !== null))
        prepareItem(deps, workspace, settings, hashKey, stated, canonicalize(actor));
      items.push(item);
    } catch (error) {
      const refused = refuseItem(item, error);
      rejected.push(refused);
      // What is below it is a step as before.
      items.push(refusedOf(item, refused.reason, linksOf(item)));
    }
  }
  return { held: { ...held, items }, rejected };
}

/** How long a trace of which something waits must be quiet to be decided as it is. */
export function waitMicrosOf({ otlpTraceWaitSeconds }: Pick<OtlpDeps, 'otlpTraceWaitSeconds'>): number {
  return otlpTraceWaitSeconds * MICROS_PER_SECOND;
}

/** For how many of these times it is known what of a trace was decided. */
const KEPT_WAITS = 5;

/** How long it is known what of a trace was decided. */
export function keptMicrosOf(deps: Pick<OtlpDeps, 'otlpTraceWaitSeconds'>): number {
  return KEPT_WAITS * waitMicrosOf(deps);
}

/** The rows that keep a part. */
export function createArrival(
  deps: Pick<OtlpDeps, 'clock' | 'random' | 'otlpTraceWaitSeconds'>,
  { vault }: Workspace,
  held: HeldTrace,
  part: TracePart,
): ArrivedTrace {
  const { applicationKey, traceId, isOpen, isRipe } = held;
  const id = newId(deps);
  const key = vault.createObjectKey(id);
  const items = sealPart(key, part);
  const now = deps.clock.nowMicros();
  const name = { application_key: applicationKey, trace_id: traceId };
  return {
    trace: {
      ...name,
      is_open: isOpen,
      opened_at: now,
      received_at: now,
      due_at: isRipe ? 0 : now + (isOpen ? waitMicrosOf(deps) : keptMicrosOf(deps)),
      size_bytes: items.length,
    },
    part: {
      ...name,
      id,
      fingerprint: vault.fingerprint(textOf(part.items)),
      received_at: now,
      is_open: isOpen,
      wrapped_key: key.wrapped,
      items,
    },
  };
}
