import type { WitnessItem } from '@answer-evidence/contracts';
import { listWitnesses } from '@answer-evidence/contracts/operations';
import { formatHex, formatTimestamp } from '@answer-evidence/encoding';
import { formatVkey, parseWitnessPolicy } from '@answer-evidence/note';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { TrustDeps } from '../../deps.ts';

/** `GET /api/trust/witnesses`: how each witness of the policy does. */
export function listWitnessesRoute(deps: Pick<TrustDeps, 'trust'>): Route {
  return defineRoute({
    ...listWitnesses,
    async handle({ caller }) {
      const { workspaceId } = caller;
      const { values } = await deps.trust.policy(workspaceId);
      const states = new Map(
        (await deps.trust.witnessStates(workspaceId)).map((state) => [formatHex(state.public_key), state]),
      );
      const items = parseWitnessPolicy(values.witness_policy).witnesses.map(({ name, vkey, url }): WitnessItem => {
        const state = states.get(formatHex(vkey.publicKey));
        return {
          name,
          vkey: formatVkey(vkey),
          url: url ?? null,
          tree_size: state?.tree_size ?? null,
          failures: state?.failures ?? 0,
          last_error: state?.last_error ?? null,
          next_attempt_at: state === undefined || state.failures === 0 ? null : formatTimestamp(state.next_attempt_at),
        };
      });
      return { status: 200, body: { items } };
    },
  });
}
