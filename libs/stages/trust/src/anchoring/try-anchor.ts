import { ANCHOR_TYPES, type TrustTest } from '@answer-evidence/contracts';
import { formatTimestamp } from '@answer-evidence/encoding';
import type { AnchorTarget, Workspace } from '@answer-evidence/ports';
import type { TrustDeps } from '../deps.ts';
import { describeAnchorFault } from '../policy/examine-anchors.ts';

const DIGEST_BYTES = 32;

/**
 * Tries an anchor by what its type does without keeping anything: an authority stamps a digest of nothing, a public log
 * is read, a place for copies is asked what it is and what lies in the place of this log.
 */
export async function tryAnchor(
  { anchors, random }: Pick<TrustDeps, 'anchors' | 'random'>,
  { origin }: Pick<Workspace, 'origin'>,
  config: AnchorTarget,
  signal: AbortSignal,
): Promise<TrustTest> {
  const kind = anchors[config.type];
  const { isExternal, artefact } = ANCHOR_TYPES[config.type];
  if (!isExternal) return tell('not_tried', 'it lies beside the data of the service; nobody outside is asked');
  if (artefact === 'token') {
    const outcome = await kind.submit({ config, note: '', digest: random.bytes(DIGEST_BYTES), signal });
    if (outcome.kind === 'failed') return tell('failed', outcome.detail);
    return { ...tell('works', outcome.detail), stated_at: outcome.at === null ? null : formatTimestamp(outcome.at) };
  }
  const probe = await kind.probe?.({ config, signal });
  if (probe !== undefined) return tell(probe.kind, probe.detail);
  const fault = await kind.examine?.({ config, signal });
  if (fault !== undefined) {
    const { pointer, detail } = describeAnchorFault(fault, '');
    return tell('failed', `${pointer.slice(1)} ${detail}`);
  }
  const read = await kind.readNewest({ config, origin, signal });
  if (read.kind === 'failed') return tell('failed', read.detail);
  const place = read.notes[0]?.place;
  return tell(
    'works',
    place === undefined
      ? 'the place is as it must be, and has nothing of this log yet'
      : `the place is as it must be, and ${place} is the newest of this log`,
  );
}

function tell(outcome: TrustTest['outcome'], detail: string): TrustTest {
  return { outcome, detail, stated_at: null };
}
