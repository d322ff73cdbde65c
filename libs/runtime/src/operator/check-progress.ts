import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { type CheckedRange, type CheckProgress } from '@answer-evidence/audit';
import { ledgerFinding } from '@answer-evidence/contracts';
import { equalSecrets } from '@answer-evidence/digest';
import { canonicalize, formatHex, parseHex } from '@answer-evidence/encoding';
import type { Workspace } from '@answer-evidence/ports';
import type { OriginalsChecked } from '@answer-evidence/stage-evidence';

const FILE_MODE = 0o600;

const logLine = z.strictObject({ kind: z.literal('log'), treeSize: z.int().min(0), rootHash: z.string() });
const rangeLine = z.strictObject({
  kind: z.literal('range'),
  from: z.int(),
  to: z.int(),
  total: z.int().min(0),
  findings: z.array(ledgerFinding),
});
const originalsLine = z.strictObject({
  kind: z.literal('originals'),
  stored: z.int().min(0),
  read: z.int().min(0),
  findings: z.array(ledgerFinding),
  findingsTotal: z.int().min(0),
  after: z.string().nullable(),
});
const line = z.discriminatedUnion('kind', [logLine, rangeLine, originalsLine]);
type Line = z.infer<typeof line>;

type KeptProgress = CheckProgress & {
  readonly known: number;
  /** What was found of originals so far. */
  readonly originals: OriginalsChecked | undefined;
  keepOriginals(checked: OriginalsChecked): Promise<void>;
  end(): Promise<void>;
};

/**
 * What a check of one ledger has done, in a file of the folder, for the next one to go on from. Each line has a MAC of
 * the workspace, so that nobody but the service says what was checked. What a crash leaves of a last line is ignored.
 */
export async function openCheckProgress(folder: string, { id, vault }: Workspace): Promise<KeptProgress> {
  const file = join(folder, `${id}.jsonl`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const macOf = (text: string) => vault.mac('check_progress', [text]);
  const blocks = new Map<string, CheckedRange>();
  let before: CheckProgress['before'];
  let originals: OriginalsChecked | undefined;
  for (const one of await readLines(file, macOf)) {
    if (one.kind === 'log') before ??= one;
    else if (one.kind === 'originals') originals = one;
    else blocks.set(nameOf(one), one);
  }
  const write = (one: Line) => appendFile(file, formatLine(one, macOf), { mode: FILE_MODE });

  return {
    before,
    known: blocks.size,
    async begin({ rootHash, treeSize }, isSame) {
      if (isSame && before !== undefined) return before.treeSize;
      blocks.clear();
      originals = undefined;
      await writeFile(file, '', { mode: FILE_MODE });
      await write({ kind: 'log', treeSize, rootHash });
      return treeSize;
    },
    find: (block) => Promise.resolve(blocks.get(nameOf(block))),
    // Nobody else writes to the file.
    claim: () => Promise.resolve(() => Promise.resolve()),
    async keep({ findings, from, to, total }) {
      blocks.set(nameOf({ from, to }), { findings, from, to, total });
      await write({ kind: 'range', from, to, total, findings: [...findings] });
    },
    get originals() {
      return originals;
    },
    async keepOriginals({ stored, read, findings, findingsTotal, after }) {
      originals = { stored, read, findings, findingsTotal, after };
      await write({ kind: 'originals', stored, read, findings: [...findings], findingsTotal, after });
    },
    end: () => rm(file, { force: true }),
  };
}

function nameOf({ from, to }: { readonly from: number; readonly to: number }): string {
  return `${from} ${to}`;
}

/** `<hex of the MAC> <JCS>` and a line feed. */
function formatLine(one: Line, macOf: (text: string) => Uint8Array): string {
  const text = canonicalize(one);
  return `${formatHex(macOf(text))} ${text}\n`;
}

async function readLines(file: string, macOf: (text: string) => Uint8Array): Promise<readonly Line[]> {
  let stored: string;
  try {
    stored = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
  const lines: Line[] = [];
  for (const [, mac = '', text = ''] of stored.matchAll(/^([0-9a-f]{64}) (.*)\n/gm))
    if (equalSecrets(parseHex(mac), macOf(text))) lines.push(line.parse(JSON.parse(text)));
  return lines;
}
