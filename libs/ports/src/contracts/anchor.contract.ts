import {
  type Anchor,
  ANCHOR_ARTEFACT_MAX_BYTES,
  type AnchorOutcome,
  type AnchorQuery,
  type AnchorReading,
  type AnchorRequest,
  PUBLISHED_NOTES_MAX,
} from '../anchors.ts';
import { assertKept, type ContractCase } from './contract-case.ts';

/** An anchor with parties to submit to. */
export type AnchorFixture = {
  readonly anchor: Anchor;
  /** The n-th checkpoint, for a party that plays its part. */
  readonly request: (n: number, signal?: AbortSignal) => AnchorRequest;
  /** Requests that name parties that do not, by what those do; none where nobody else takes part. */
  readonly misbehaving: Readonly<Record<string, AnchorRequest>>;
  /** Whether what is anchored can be read where it lies. */
  readonly isReadable: boolean;
  /** What no detail may hold: secrets, addresses, what parties say. */
  readonly unspeakable: readonly string[];
};

function assertConfirmed(outcome: AnchorOutcome, promise: string): void {
  assertKept(outcome.kind === 'confirmed', `${promise}: ${outcome.detail}`);
  if (outcome.kind !== 'confirmed') return;
  const { artefact, at } = outcome;
  assertKept(artefact.length > 0 && artefact.length <= ANCHOR_ARTEFACT_MAX_BYTES, 'the artefact must have a sane size');
  assertKept(at === null || (Number.isSafeInteger(at) && at > 0), 'a time must be one in microseconds');
}

/** What is asked to read the log of a request in its place. */
function queryOf({ config, note, signal }: AnchorRequest): AnchorQuery {
  return { config, signal, origin: note.slice(0, note.indexOf('\n')) };
}

function assertRead(reading: AnchorReading, notes: readonly string[]): void {
  assertKept(reading.kind === 'read', 'what is anchored must be read');
  if (reading.kind === 'failed') return;
  const read = reading.notes.map(({ note }) => note);
  assertKept(read.join('') === notes.join(''), `the newest must be read first: ${JSON.stringify(read)}`);
  assertKept(
    reading.notes.every(({ place }) => place !== ''),
    'a note must say where it lies',
  );
}

/** What every adapter of `Anchor` keeps. */
export const anchorContract: readonly ContractCase<AnchorFixture>[] = [
  {
    guarantee: 'a checkpoint is anchored, and so is the next',
    async prove({ anchor, request }) {
      assertConfirmed(await anchor.submit(request(1)), 'a checkpoint must be anchored');
      assertConfirmed(await anchor.submit(request(2)), 'the next must be, too');
    },
  },
  {
    guarantee: 'anchoring a checkpoint again is harmless',
    async prove({ anchor, request }) {
      for (let times = 0; times < 3; times++) {
        assertConfirmed(await anchor.submit(request(1)), 'a checkpoint must be anchored each time');
      }
    },
  },
  {
    guarantee: 'attempts may run at once, also of one checkpoint',
    async prove({ anchor, request }) {
      const outcomes = await Promise.all([1, 2, 3, 1].map((n) => anchor.submit(request(n))));
      for (const outcome of outcomes) assertConfirmed(outcome, 'each must be anchored');
    },
  },
  {
    guarantee: 'a party that misbehaves makes an attempt fail in bounded time, without a throw, and without its words',
    async prove({ anchor, misbehaving, unspeakable }) {
      for (const [what, request] of Object.entries(misbehaving)) {
        const outcome = await anchor.submit(request);
        assertKept(outcome.kind === 'failed', `a party that ${what} must not confirm anything`);
        assertKept(outcome.detail.length > 0 && outcome.detail.length <= 300, 'a failure must say why, in short');
        for (const words of unspeakable)
          assertKept(!outcome.detail.includes(words), `${what}: a detail must not quote`);
      }
    },
  },
  {
    guarantee: 'what was anchored is read where it lies, the newest few and the newest first, as far as anybody can',
    async prove({ anchor, request, isReadable }) {
      assertRead(await anchor.readNewest(queryOf(request(1))), []);
      const requests = Array.from({ length: PUBLISHED_NOTES_MAX + 4 }, (_, n) => request(n + 1));
      for (const one of requests) assertConfirmed(await anchor.submit(one), 'a checkpoint must be anchored');
      const newest = requests.map(({ note }) => note).reverse();
      const expected = isReadable ? newest.slice(0, PUBLISHED_NOTES_MAX) : [];
      assertRead(await anchor.readNewest(queryOf(request(1))), expected);
      const other = await anchor.readNewest({ ...queryOf(request(1)), origin: 'another.example/log' });
      assertRead(other, []);
    },
  },
  {
    guarantee: 'a party that misbehaves is read as nothing, or not at all, in bounded time and without its words',
    async prove({ anchor, misbehaving, unspeakable }) {
      for (const [what, request] of Object.entries(misbehaving)) {
        const reading = await anchor.readNewest(queryOf(request));
        if (reading.kind === 'read') assertRead(reading, []);
        else
          for (const words of unspeakable)
            assertKept(!reading.detail.includes(words), `${what}: a detail must not quote`);
      }
    },
  },
  {
    guarantee: 'an attempt that is given up ends, and a later one succeeds',
    async prove({ anchor, request }) {
      await anchor.submit(request(1, AbortSignal.abort()));
      assertConfirmed(await anchor.submit(request(1)), 'a later attempt must succeed');
    },
  },
];
