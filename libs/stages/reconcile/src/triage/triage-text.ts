import { StoredDamageError, VaultError, type WorkspaceVault } from '@answer-evidence/ports';
import type { TriageStepRow, TriageTextRow } from '@answer-evidence/tables';

const FIELD = 'text';

/** The text of a step, sealed under a key of its own. `recordId`: of the record that the finding is about. */
export function sealTriageText(
  vault: WorkspaceVault,
  step: Pick<TriageStepRow, 'run_id' | 'position' | 'version'> & { readonly text_until: number },
  recordId: string | null,
  text: string,
): TriageTextRow {
  const { run_id, position, version, text_until: due_at } = step;
  const key = vault.createObjectKey(nameOf(step));
  return {
    run_id,
    position,
    version,
    answer_log_id: recordId,
    wrapped_key: key.wrapped,
    text: key.seal(FIELD, text),
    due_at,
  };
}

/** The text that was sealed. Throws `StoredDamageError`, which names the run, when anything of it was altered. */
export function openTriageText(vault: WorkspaceVault, row: TriageTextRow): string {
  try {
    return vault.openObjectKey(nameOf(row), row.wrapped_key).open(FIELD, row.text);
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    const what = `the text of a step on a finding of the run ${row.run_id}`;
    throw new StoredDamageError(`${what} is not what was written`, { cause: error });
  }
}

/** Of the object that the key is for: a text that was put into another place does not open. */
function nameOf({ run_id: run, position, version }: Pick<TriageStepRow, 'run_id' | 'position' | 'version'>): string {
  return `triage/${run}/${position}/${version}`;
}
