import { utf8 } from '@answer-evidence/encoding';
import {
  type Anchor,
  type AnchorFault,
  type AnchorOutcome,
  type AnchorRequest,
  PUBLISHED_NOTES_MAX,
  type PublishedNote,
} from '@answer-evidence/ports';

/** An anchor in memory that remembers what it was asked, the oldest first. */
export type FakeAnchor = Anchor & {
  readonly asked: readonly AnchorRequest[];
  /** What lies in its place, the newest first: what it has confirmed, and what a test puts there. */
  notes: readonly PublishedNote[];
  /** Why its place cannot be read, while it cannot. */
  unreadable: string | undefined;
  /** What its place says of itself, where that is not as it must be. */
  fault: AnchorFault | undefined;
};

/** An anchor that comes to `outcome`; left out: it confirms. An aborted attempt fails in any case. */
export function createFakeAnchor(
  outcome: () => AnchorOutcome = () => ({ kind: 'confirmed', artefact: utf8('{}'), at: null, detail: 'kept' }),
): FakeAnchor {
  const asked: AnchorRequest[] = [];
  return {
    asked,
    notes: [],
    unreadable: undefined,
    fault: undefined,
    examine() {
      return Promise.resolve(this.fault);
    },
    submit(request) {
      asked.push(request);
      const { aborted } = request.signal;
      const result: AnchorOutcome = aborted ? { kind: 'failed', detail: 'the attempt was given up' } : outcome();
      const { note } = request;
      if (result.kind === 'confirmed' && this.notes.every((kept) => kept.note !== note))
        this.notes = [{ note, place: 'the place of a test' }, ...this.notes];
      return Promise.resolve(result);
    },
    readNewest({ origin }) {
      if (this.unreadable !== undefined) return Promise.resolve({ kind: 'failed', detail: this.unreadable });
      // What is no checkpoint of any log lies there for each.
      const notes = this.notes.filter(({ note }) => note.startsWith(`${origin}\n`) || !/^\S+\n\d+\n/.test(note));
      return Promise.resolve({ kind: 'read', notes: notes.slice(0, PUBLISHED_NOTES_MAX) });
    },
  };
}
