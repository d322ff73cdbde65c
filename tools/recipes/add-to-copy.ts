import type { ScratchCopy } from './scratch-copy.ts';

/** Adds the label `device_id_hash`, as its recipe says. */
export function addLabel(copy: ScratchCopy): void {
  copy.replace(
    'libs/contracts/src/labels.ts',
    'const laterLabels = {',
    'const laterLabels = { device_id_hash: externalId.optional(),',
  );
  copy.add(
    'libs/adapters/postgres/src/migrations/9999_device_id_hash_additive.sql',
    'alter table answer_evidence.answer_records add column device_id_hash text;\n',
  );
  copy.replace(
    'docs/formats/records.md',
    '| `actor_id_hash`, `session_id_hash` ',
    '| `device_id_hash` | string, if there is one |\n| `actor_id_hash`, `session_id_hash` ',
  );
  copy.replace(
    'packages/python/src/answer_evidence/verify/bundle_form.py',
    'LATER_LABELS: tuple[str, ...] = ()',
    'LATER_LABELS: tuple[str, ...] = ("device_id_hash",)',
  );
}

/** Adds the workspace entry `keys_counted`, as its recipe says. */
export function addWorkspaceEntry(copy: ScratchCopy): void {
  copy.replace(
    'libs/contracts/src/ledger-entries.ts',
    "  'texts_revealed',\n",
    "  'texts_revealed',\n  'keys_counted',\n",
  );
  copy.replace(
    'libs/contracts/src/cores.ts',
    '/** Core of `texts_revealed`',
    `/** Core of \`keys_counted\`: how many keys somebody counted. */
${'export'} const keysCountedCore = z.strictObject({ ...commonCore, keys: z.int().nonnegative(), actor });
/** Core of \`texts_revealed\``,
  );
  copy.replace(
    'libs/contracts/src/entries.ts',
    '  sweep_confirmed: [],',
    "  sweep_confirmed: [],\n  keys_counted: ['keys'],",
  );
  copy.replace(
    'libs/domain/verify/src/order/entry-kinds.ts',
    "  texts_revealed: ['workspace', 'zero'],",
    "  texts_revealed: ['workspace', 'zero'],\n  keys_counted: ['workspace', 'zero'],",
  );
  copy.replace(
    'packages/python/src/answer_evidence/verify/entry_kinds.py',
    '    "texts_revealed": ("workspace", "zero"),',
    '    "texts_revealed": ("workspace", "zero"),\n    "keys_counted": ("workspace", "zero"),',
  );
  copy.replace(
    'libs/domain/audit/src/check-workspace-entries.ts',
    "    case 'texts_revealed':",
    "    case 'keys_counted':\n      read(keysCountedCore);\n      return;\n    case 'texts_revealed':",
  );
  copy.replace(
    'libs/domain/audit/src/check-workspace-entries.ts',
    '  ledgerKeyCore,\n  memberCore,',
    '  keysCountedCore,\n  ledgerKeyCore,\n  memberCore,',
  );
}
