import { createHash } from 'node:crypto';
import { formatEntry, hashCoreText } from '@answer-evidence/commitments';
import type { JsonValue } from '@answer-evidence/contracts';
import { canonicalize, formatTimestamp, parseTimestamp } from '@answer-evidence/encoding';
import { formatTlogProof } from '@answer-evidence/note';
import { reseal, signCheckpoint, tilesOf, type World } from '../reseal.ts';
import { hashesOf, pathOf } from '../trees.ts';
import { element, MADE_AT, NAMES, type PackRow, type Part } from './pack-case.ts';
import { BENT_PACKS } from './pack-parts.ts';
import { DATED_PACKS } from './pack-times.ts';
import type { Open, WholeCase } from './whole-case.ts';

const PACK_ID = '01a20522-0000-7000-8000-0000000000aa';
const USER_ID = '01a20522-0000-7000-8000-0000000000bb';
const at = (micros: number) => formatTimestamp(parseTimestamp(MADE_AT) + micros);

function writePage(all: readonly Part[]): string {
  const elements = all.map(({ id, json: text, written: write }) => {
    const escaped = text.replaceAll('<', String.raw`\u003c`);
    return write === undefined ? element(`type="application/json" id="${id}"`)(escaped) : write(escaped);
  });
  return `<!doctype html>\n<title>Evidence</title>\n<body>\n${elements.join('\n')}\n</body>\n`;
}

/** The entry of a page, as the last leaf of the log. */
function logPage(world: World, page: string, { entry, loggedAfter = 0 }: PackRow) {
  const core: Record<string, JsonValue> = {
    id: PACK_ID,
    nonce: '00'.repeat(16),
    format: 'pack',
    filters: {},
    records: NAMES.length,
    content_hash: `sha256:${createHash('sha256').update(page).digest('hex')}`,
    actor: { kind: 'user', id: USER_ID, token_id: null },
    ...entry,
  };
  const hash = hashCoreText('export_made', canonicalize(core));
  const micros = parseTimestamp(at(loggedAfter));
  const text = formatEntry({
    type: 'export_made',
    id: PACK_ID,
    subject: world.bundle.workspace_id,
    seq: 0,
    hash,
    at: micros,
  });
  const entries = [...world.entries, text];
  const checkpoint = signCheckpoint({ bundle: world.bundle, entries }, []);
  const index = entries.length - 1;
  const receipt = formatTlogProof({ index, hashes: pathOf(hashesOf(entries), index), checkpoint });
  return { response: { id: PACK_ID, core, receipt, ledger: { entry: text } }, entries, checkpoint };
}

function giveLog(world: World, made: ReturnType<typeof logPage>, how: NonNullable<PackRow['log']>) {
  const isShort = how === 'ends before';
  const entries = isShort ? world.entries : made.entries;
  const checkpoint = isShort ? signCheckpoint(world, []) : made.checkpoint;
  const tiles = { ...tilesOf(entries), checkpoint: Buffer.from(checkpoint).toString('base64') };
  return how === 'lacks entries'
    ? Object.fromEntries(Object.entries(tiles).filter(([path]) => !path.startsWith('tile/entries/')))
    : tiles;
}

/** Evidence packs: bent, and beside the entry and the log that say when they were made. */
export function listPacks(open: Open): readonly WholeCase[] {
  const base = reseal(open('plain'));
  const bundles = ['plain', 'matched', 'not-submitted'].map((name) => reseal(open(name)).bundle);
  return [...BENT_PACKS, ...DATED_PACKS].map((row) => {
    const list = { format: 'answer-evidence-pack/v1', made_at: MADE_AT, origin: base.bundle.origin, bundles: NAMES };
    const all: Part[] = [
      { id: 'pack', json: JSON.stringify(list) },
      { id: 'trust', json: JSON.stringify(base.trust) },
      ...bundles.map((bundle, n) => ({ id: NAMES[n] ?? '', json: JSON.stringify(bundle) })),
    ];
    row.change?.({ world: base, parts: all });
    const made = writePage(all);
    const logged = logPage(base, made, row);
    row.response?.(logged.response);
    const files = {
      trust: JSON.stringify(base.trust),
      pack: row.page?.(made) ?? made,
      ...(row.entry === undefined ? {} : { entry: JSON.stringify(logged.response) }),
    };
    const log = row.log === undefined ? {} : { log: giveLog(base, logged, row.log) };
    return { id: `pack: ${row.id}`, given: { kind: 'files', files, ...log }, expected: { outcomes: row.outcomes } };
  });
}
