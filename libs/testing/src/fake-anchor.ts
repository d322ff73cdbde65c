import type { Anchor, AnchorOutcome, AnchorRequest } from '@answer-evidence/ports';

/** An anchor in memory: confirms with the digest as artefact, unless told otherwise. */
export type FakeAnchor = Anchor & {
  /** Every attempt, the oldest first. */
  readonly submitted: AnchorRequest[];
  /** What attempts come to from now on; nothing: they are confirmed. */
  outcome: AnchorOutcome | undefined;
};

/** Makes an anchor that states the given time. */
export function createFakeAnchor(at: number | null = null): FakeAnchor {
  const anchor: FakeAnchor = {
    submitted: [],
    outcome: undefined,
    submit(request) {
      anchor.submitted.push(request);
      if (request.signal.aborted) return Promise.resolve({ kind: 'failed', detail: 'the attempt was given up' });
      const confirmed = { kind: 'confirmed', artefact: request.digest, at, detail: 'kept in memory' } as const;
      return Promise.resolve(anchor.outcome ?? confirmed);
    },
  };
  return anchor;
}
