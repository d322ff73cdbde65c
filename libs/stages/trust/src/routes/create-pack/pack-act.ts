import { ServiceError } from '@answer-evidence/contracts';
import { permitCommand } from '@answer-evidence/ledger';
import type { ApprovableAct } from '@answer-evidence/ports';
import type { TrustDeps } from '../../deps.ts';

/** Packs that somebody asked for. The approval makes none: it allows one, of these records, by who asked. */
export function createPackAct({ records }: Pick<TrustDeps, 'records'>): ApprovableAct {
  return {
    async pin(workspace, { pack }) {
      if (pack === undefined) throw new TypeError('a pack is asked for');
      for (const [n, id] of pack.answer_log_ids.entries())
        if ((await records.find(workspace.id, id)) === undefined)
          throw new ServiceError('record_not_found', 'a record does not exist', {
            errors: [{ pointer: `/answer_log_ids/${n}`, detail: 'must be a record of this workspace' }],
          });
      return { pack };
    },
    prepare: ({ workspace }) => Promise.resolve(permitCommand(workspace.id)),
  };
}
