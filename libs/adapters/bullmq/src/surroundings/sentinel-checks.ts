import { fault, fine, skipped, type SurroundingCheck } from '@answer-evidence/ports';
import type { Endpoint } from '../redis-address.ts';

/** What one Sentinel of a `REDIS_URL` says of the master, or why it says nothing. */
export type SentinelAnswer = {
  /** `host:port`. */
  readonly place: string;
} & (
  | { readonly kind: 'silent' | 'knows-no-such-master' | 'is-no-sentinel' | 'rejects-credentials' }
  | {
      readonly kind: 'knows';
      /** Itself included. */
      readonly sentinels: number;
      /** How many must agree that the master is down. */
      readonly quorum: number;
      readonly replicas: number;
      /** Where the master is. */
      readonly server: Endpoint;
    }
);

/** What the Sentinels of a `REDIS_URL` say, in its order. */
export type SentinelFacts = { readonly master: string; readonly answers: readonly SentinelAnswer[] };

/** Two cannot outvote one that is cut off. */
const SENTINELS_MIN = 3;

/** What is checked of the Sentinels that `REDIS_URL` names. */
export const SENTINEL_CHECKS: readonly SurroundingCheck<SentinelFacts>[] = [
  {
    name: 'redis.sentinels',
    severity: 'refuse',
    foundBy: 'SENTINEL MASTER',
    judge({ master, answers }) {
      const [other] = answers.filter(({ kind }) => kind === 'is-no-sentinel');
      if (other !== undefined)
        return fault(
          `the server at ${other.place} in REDIS_URL is not a Sentinel; name the Sentinels, whose usual port is 26379`,
        );
      const [closed] = answers.filter(({ kind }) => kind === 'rejects-credentials');
      if (closed !== undefined)
        return fault(
          `the Sentinel at ${closed.place} rejects the user or password; correct sentinelUsername and ` +
            'sentinelPassword in REDIS_URL',
        );
      const [stranger] = answers.filter(({ kind }) => kind === 'knows-no-such-master');
      if (stranger !== undefined)
        return fault(
          `the Sentinel at ${stranger.place} watches no master "${master}"; correct sentinelMasterId in REDIS_URL`,
        );
      return answers.some(({ kind }) => kind === 'knows')
        ? fine(`watch the master "${master}"`)
        : skipped('no Sentinel responds');
    },
  },
  {
    name: 'redis.failover',
    severity: 'warn',
    foundBy: 'SENTINEL MASTER: num-other-sentinels, quorum, num-slaves',
    judge({ answers }) {
      const known = answers.filter((answer) => answer.kind === 'knows');
      const [first] = known;
      const silent = answers.filter(({ kind }) => kind === 'silent');
      if (first === undefined) return skipped('no Sentinel responds');
      if (silent.length > 0)
        return fault(
          `no response from the Sentinel at ${silent.map(({ place }) => place).join(', ')}; start it or remove it ` +
            'from REDIS_URL',
        );
      const { sentinels, quorum, replicas } = first;
      if (sentinels < SENTINELS_MIN)
        return fault(`${sentinels} Sentinels watch Redis, too few to agree on a failover; run ${SENTINELS_MIN}`);
      if (quorum > sentinels)
        return fault(`${quorum} Sentinels must agree on a failover, but there are ${sentinels}; lower the quorum`);
      if (replicas === 0)
        return fault('the Redis that the Sentinels watch has no replica, so nothing can take over; add one');
      return fine(`replicas: ${replicas}, Sentinels: ${sentinels}, quorum: ${quorum}`);
    },
  },
];
