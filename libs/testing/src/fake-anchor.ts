import { utf8 } from '@answer-evidence/encoding';
import type { Anchor, AnchorOutcome, AnchorRequest } from '@answer-evidence/ports';

/** An anchor in memory that remembers what it was asked, the oldest first. */
export type FakeAnchor = Anchor & { readonly asked: readonly AnchorRequest[] };

/** An anchor that comes to `outcome`; left out: it confirms. An aborted attempt fails in any case. */
export function createFakeAnchor(
  outcome: () => AnchorOutcome = () => ({ kind: 'confirmed', artefact: utf8('{}'), at: null, detail: 'kept' }),
): FakeAnchor {
  const asked: AnchorRequest[] = [];
  return {
    asked,
    submit(request) {
      asked.push(request);
      const { aborted } = request.signal;
      return Promise.resolve(aborted ? { kind: 'failed', detail: 'the attempt was given up' } : outcome());
    },
  };
}
