import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ReferenceRequest, referenceRequest } from '@answer-evidence/contracts';
import { formatReferenceLine, readReference } from '@answer-evidence/reconciliation';

/** A file of a set: what it is given as, its place in the suite, and its text. */
export type ArtefactFile = {
  readonly name: 'bundle' | 'trust' | 'receipt' | 'entry' | 'proof' | 'references' | 'records';
  readonly path: string;
  readonly text: string;
};

/** Files that are verified together. */
export type ArtefactSet = {
  readonly name: string;
  readonly kind: 'bundle' | 'run' | 'receipt';
  readonly files: readonly ArtefactFile[];
  readonly vkeys?: readonly string[];
  /** The tiles of the log up to the checkpoint of the set. */
  readonly log?: readonly string[];
};

/** The tiles of the frozen log at the size of most bundles and of the runs. */
const LOG = ['tile/0/000.p/79', 'tile/entries/000.p/79'];

/** How the name of a set ends whose bundle withholds its texts; it begins with the name of the set that shows them. */
export const WITHOUT_TEXTS = ', without texts';

/** The sets of the frozen artefacts. */
export function listSets(frozen: string): readonly ArtefactSet[] {
  const text = (name: ArtefactFile['name'], path: string): ArtefactFile => {
    return { name, path, text: readFileSync(join(frozen, path), 'utf8') };
  };
  const json = (name: ArtefactFile['name'], path: string, from = path): ArtefactFile => {
    return { name, path, text: JSON.stringify(JSON.parse(text(name, from).text)) };
  };
  const trust = json('trust', 'trust/trust.json');
  const earlierTrust = json('trust', 'trust/before-rotation.json');
  const bundle = (name: string, pins = trust): ArtefactSet => ({
    name,
    kind: 'bundle',
    files: [json('bundle', `bundles/${name}.json`), pins],
  });
  const names = readdirSync(join(frozen, 'bundles')).map((file) => file.replace('.json', ''));
  const plain = bundle('plain');
  const withheld = readdirSync(join(frozen, '../v2/bundles')).map((file) => file.replace('.json', ''));
  return [
    ...names.sort().map((name) => bundle(name, name === 'before-rotation' ? earlierTrust : trust)),
    {
      name: 'redact-event-ids',
      kind: 'bundle',
      files: [
        json('bundle', 'bundles/redact-event-ids.json', '../v1-additions/redact-event-ids.json'),
        json('trust', 'trust/redact-event-ids.json', '../v1-additions/trust.json'),
      ],
    },
    { ...bundle('after-rotation', earlierTrust), name: 'after-rotation, under the earlier keys' },
    {
      ...plain,
      name: 'plain, with its receipt',
      files: [...plain.files, text('receipt', 'receipts/plain.tlog-proof')],
    },
    { ...plain, name: 'plain, with the log', log: LOG },
    { ...bundle('bound-redacted'), name: 'bound-redacted, with the log', log: LOG },
    ...['plain', 'both', 'after-rotation'].map((name): ArtefactSet => ({
      name: `receipt ${name}`,
      kind: 'receipt',
      files: [text('receipt', `receipts/${name}.tlog-proof`), text('entry', `receipts/${name}.entry`)],
      vkeys: trustedKeysOf(trust.text),
    })),
    ...[1, 2].map((n): ArtefactSet => ({
      name: `run ${n}`,
      kind: 'run',
      files: [
        json('proof', `runs/run-${n}.proof.json`),
        {
          name: 'references',
          path: `runs/references-${n}.txt`,
          text: formatReferences(
            n === 1
              ? parseCsv(text('references', 'runs/references-1.csv').text)
              : parseLines(text('references', 'runs/references-2.jsonl').text),
          ),
        },
        text('records', `runs/run-${n}.records.jsonl`),
        trust,
      ],
      log: LOG,
    })),
    ...withheld.sort().map((name): ArtefactSet => ({
      name: `${name}${WITHOUT_TEXTS}`,
      kind: 'bundle',
      files: [json('bundle', `bundles-v2/${name}.json`, `../v2/bundles/${name}.json`), trust],
    })),
  ];
}

function trustedKeysOf(trust: string): readonly string[] {
  const { logs } = JSON.parse(trust) as { readonly logs: readonly { readonly keys: readonly { vkey: string }[] }[] };
  return logs.flatMap((log) => log.keys.map(({ vkey }) => vkey));
}

/** The lines of a list, as the log has them (docs/formats/reconciliation.md, "The three sets"). */
function formatReferences(references: readonly ReferenceRequest[]): string {
  return references.map((reference) => `${formatReferenceLine(readReference(reference))}\n`).join('');
}

function parseLines(text: string): readonly ReferenceRequest[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => referenceRequest.parse(JSON.parse(line)));
}

/** The list of the first run: id, time, and the hash of the answer where there is one. */
function parseCsv(text: string): readonly ReferenceRequest[] {
  const [, ...rows] = text.trim().split('\n');
  return rows.map((row) => {
    const [id, time, hash] = row.split(',');
    return referenceRequest.parse({ reference_id: id, occurred_at: time, ...(hash ? { answer_hash: hash } : {}) });
  });
}
