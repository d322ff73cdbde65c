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

/** Adds the anchor type `notary`, which keeps copies, as its recipe says. */
export function addAnchorType(copy: ScratchCopy): void {
  copy.replace(
    'libs/contracts/src/anchor-types.ts',
    "const file = { id: anchorId, type: z.literal('file') };",
    `const file = { id: anchorId, type: z.literal('file') };
const notary = { id: anchorId, type: z.literal('notary'), url, required: z.boolean() };`,
  );
  copy.replace(
    'libs/contracts/src/anchor-types.ts',
    '  file: {\n    isExternal: false,',
    `  notary: {
    isExternal: true,
    artefact: 'copy',
    secret: null,
    config: z.strictObject(notary),
    request: z.strictObject({ ...notary, required: notary.required.default(false) }),
  },
  file: {
    isExternal: false,`,
  );
  const name = '@answer-evidence/anchor-notary';
  const manifest: unknown = {
    ...{ name, private: true, type: 'module', exports: { '.': './src/index.ts' }, nx: { tags: ['adapters'] } },
    dependencies: { '@answer-evidence/ports': '*' },
  };
  copy.add('libs/adapters/anchor-notary/package.json', `${JSON.stringify(manifest, undefined, 2)}\n`);
  copy.add('libs/adapters/anchor-notary/src/index.ts', NOTARY);
  copy.link(name, 'libs/adapters/anchor-notary');
  copy.replace(
    'libs/runtime/package.json',
    '    "@answer-evidence/anchor-rfc3161": "*",',
    `    "${name}": "*",\n    "@answer-evidence/anchor-rfc3161": "*",`,
  );
  copy.replace(
    'libs/runtime/src/open/open-trust-tools.ts',
    "import { createRevocationReader, createRfc3161Anchor } from '@answer-evidence/anchor-rfc3161';",
    `import { createNotaryAnchor } from '${name}';
import { createRevocationReader, createRfc3161Anchor } from '@answer-evidence/anchor-rfc3161';`,
  );
  copy.replace(
    'libs/runtime/src/open/open-trust-tools.ts',
    '      rfc3161: createRfc3161Anchor(',
    '      notary: createNotaryAnchor({ outbound }),\n      rfc3161: createRfc3161Anchor(',
  );
  copy.replace(
    'packages/python/src/answer_evidence/verify/bundle_form.py',
    '{"rfc3161", "object-lock", "rekor", "file"}',
    '{"rfc3161", "object-lock", "notary", "file"}',
  );
  copy.replace(
    'packages/python/src/answer_evidence/verify/bundle_form.py',
    '    object_with({"id": ANCHOR_ID, "type": {"file"}}),',
    `    object_with({"id": ANCHOR_ID, "type": {"notary"}, "url": URL, "required": bool}),
    object_with({"id": ANCHOR_ID, "type": {"file"}}),`,
  );
  copy.replace(
    'docs/formats/trust.md',
    '### `object-lock`',
    '### `notary`\n\nA copy of the note.\n\n### `object-lock`',
  );
  copy.replace(
    'docs/trust.md',
    '| an `object-lock` anchor |',
    '| a `notary` anchor | it has the checkpoint | anything to others | the notary |\n| an `object-lock` anchor |',
  );
}

/** The adapter of the notary. */
const NOTARY = `import { type Anchor, OutboundError, type OutboundHttp } from '@answer-evidence/ports';

/** Leaves copies with a notary. */
${'export'} function createNotaryAnchor({ outbound }: { readonly outbound: OutboundHttp }): Anchor {
  return {
    submit({ config, note }) {
      try {
        if ('url' in config) outbound.assertAllowed(config.url);
      } catch (error) {
        if (error instanceof OutboundError) return Promise.resolve({ kind: 'failed', detail: 'its address is refused' });
        throw error;
      }
      return Promise.resolve({ kind: 'confirmed', artefact: Buffer.from(note), at: null, detail: 'it has a copy' });
    },
    readNewest: () => Promise.resolve({ kind: 'read', notes: [] }),
  };
}
`;
