import type { Pack, PackCheckResult } from '@answer-evidence/verify';
import { showChecks } from './check-table.ts';
import { element } from './elements.ts';

/** A pack as a whole: what its maker states, and the checks of that. */
export function showPack({ manifest, bundles }: Pack, checks: readonly PackCheckResult[]): readonly Node[] {
  const made =
    manifest === undefined
      ? 'This pack does not say when it was made.'
      : `Its maker says that it was made at ${manifest.madeAt} from the log "${manifest.origin}". That time is the ` +
        'maker’s word, and so is the choice of records: the log has an entry export_made with the SHA-256 of the file.';
  const count = `It has ${bundles.length === 1 ? 'one record' : `${bundles.length} records`}.`;
  return [element('p', {}, `${made} ${count}`), showChecks(checks)];
}
