import { hashCore } from '@answer-evidence/commitments';
import { type JsonValue, packExportCore, type TrustFile } from '@answer-evidence/contracts';
import { sha256Hex } from '@answer-evidence/digest';
import { formatTimestamp, MICROS_PER_SECOND, parseTimestamp } from '@answer-evidence/encoding';
import type { VerifySignature } from '@answer-evidence/note';
import { readEntry } from '../bundle-context.ts';
import { TIME_TOLERANCE_MICROS } from '../stated-times.ts';
import { assertSame, CheckFailure, pass, runCheck, skip, type Verdict } from '../verdict.ts';
import type { Pack } from './read-pack.ts';
import { verifyKeptLeaf } from './verify-kept-leaf.ts';

/** The checks of an evidence pack as a whole, in their order. */
export const PACK_CHECKS = ['pack_parts', 'pack_made_at', 'pack_content'] as const;
/** The name of a check of a pack. */
export type PackCheckName = (typeof PACK_CHECKS)[number];
/** One check's result; see `checkResult`. */
export type PackCheckResult = Awaited<ReturnType<typeof runCheck<PackCheckName>>>;

const DOES_NOT_PROVE: Readonly<Record<PackCheckName, string>> = {
  pack_parts: 'Not that no record was left out before the list was made: that is the maker’s choice.',
  pack_made_at: 'Not that the log’s time is right; only that the pack and the log agree on it.',
  pack_content: 'Not that the page of the pack can be trusted; only that the log knows this very file.',
};

/** An entry of the log with its core and its receipt, as `entries show` gives it. */
export type KeptEntry = { readonly entry: string; readonly core: JsonValue; readonly receipt: string };

/** The entries of a log that was verified, from its first leaf to its last. */
export type ReadLog = { readonly entries: readonly (string | undefined)[] };

/** What a pack may be verified with. */
export type VerifyPackOptions = {
  readonly verifySignature: VerifySignature;
  /** The file; left out where only its page can be seen. */
  readonly file?: Uint8Array;
  /** Entries that were given, whatever they are about. */
  readonly entries?: readonly KeptEntry[];
  readonly log?: ReadLog;
  readonly trust?: TrustFile;
};

/** The checks of a pack as a whole. Each of its bundles is verified by itself. Content never makes it throw. */
export async function verifyPack(pack: Pack, options: VerifyPackOptions): Promise<readonly PackCheckResult[]> {
  const digest = options.file === undefined ? undefined : `sha256:${sha256Hex(options.file)}`;
  const kept = options.entries?.filter(({ entry }) => typeOf(entry) === 'export_made') ?? [];
  // Of several, the one of this file; of none that fits, the first, which then fails.
  const own = kept.find(({ core }) => contentHashOf(core) === digest) ?? kept[0];
  const checks: Readonly<Record<PackCheckName, () => Verdict | Promise<Verdict>>> = {
    pack_parts: () => checkParts(pack),
    pack_made_at: () => checkMadeAt(pack, own, options.log),
    pack_content: () => checkContent(pack, own, digest, options),
  };
  const results: PackCheckResult[] = [];
  for (const name of PACK_CHECKS) results.push(await runCheck(name, checks[name], DOES_NOT_PROVE));
  return results;
}

function checkParts({ bundles, faults }: Pack): Verdict {
  const wrong = bundles.flatMap((bundle) => ('fault' in bundle ? [`${bundle.name}: ${bundle.fault}`] : []));
  const all = [...faults, ...wrong];
  if (all.length > 0) throw new CheckFailure(list(all));
  return pass(`${bundles.length} ${bundles.length === 1 ? 'bundle' : 'bundles'}, as the list of the pack names them`);
}

const LISTED_MAX = 3;

function list(faults: readonly string[]): string {
  const more = faults.length > LISTED_MAX ? `; and ${faults.length - LISTED_MAX} more faults` : '';
  return faults.slice(0, LISTED_MAX).join('; ') + more;
}

const WORD = 'is the maker’s word';
const SECONDS = TIME_TOLERANCE_MICROS / MICROS_PER_SECOND;

function checkMadeAt({ manifest }: Pack, own: KeptEntry | undefined, log: ReadLog | undefined): Verdict {
  if (manifest === undefined) throw new CheckFailure('the pack does not say when it was made');
  const { madeAt } = manifest;
  if (own !== undefined) {
    const { at } = readEntry({ name: 'the entry export_made', entry: own.entry });
    if (isNear(madeAt, at)) return pass(`made_at is ${madeAt}, and its entry export_made has the time ${at}`);
    throw new CheckFailure(`made_at and the entry export_made differ by more than ${SECONDS} seconds`, {
      expected: at,
      actual: madeAt,
    });
  }
  if (log === undefined)
    return skip(`made_at, ${madeAt}, ${WORD}: give the log, or the entry export_made of the pack (\`entries show\`)`);
  return findInLog(madeAt, log);
}

function findInLog(madeAt: string, { entries }: ReadLog): Verdict {
  const read = entries.flatMap((entry, n) => (entry === undefined ? [] : [readEntry({ name: `leaf ${n}`, entry })]));
  const near = read.filter(({ type, at }) => type === 'export_made' && isNear(madeAt, at));
  const [first] = near;
  if (first !== undefined)
    return pass(`made_at is ${madeAt}, and the log has an entry export_made of ${first.at}, id ${first.id}`);
  const last = read.at(-1)?.at;
  if (read.length < entries.length) return skip(`made_at, ${madeAt}, ${WORD}: the given log lacks entries`);
  if (last === undefined || parseTimestamp(last) <= parseTimestamp(madeAt) + TIME_TOLERANCE_MICROS)
    return skip(`made_at, ${madeAt}, ${WORD}: the given log ends at ${last ?? 'nothing'}, and is older than the pack`);
  throw new CheckFailure(`the log has no entry export_made within ${SECONDS} seconds of made_at`, {
    expected: 'an entry export_made',
    actual: madeAt,
  });
}

function isNear(a: string, b: string): boolean {
  return Math.abs(parseTimestamp(a) - parseTimestamp(b)) <= TIME_TOLERANCE_MICROS;
}

async function checkContent(
  pack: Pack,
  own: KeptEntry | undefined,
  digest: string | undefined,
  { verifySignature, trust }: VerifyPackOptions,
): Promise<Verdict> {
  const which = 'the choice of records and every byte of the file are';
  if (own === undefined)
    return skip(`${which} the maker’s word: give the entry export_made of the pack (\`entries show\`)`);
  if (digest === undefined) return skip('a page cannot read the file that it is: give the file to a verifier');
  const entry = readEntry({ name: 'the entry export_made', entry: own.entry });
  assertSame('the hash of the core', entry.hash, hashCore('export_made', own.core));
  const core = packExportCore.safeParse(own.core);
  if (!core.success) throw new CheckFailure('the entry export_made is not that of an evidence pack');
  assertSame('SHA-256 of the file', core.data.content_hash, digest);
  assertSame('the number of records', core.data.records, pack.bundles.length);
  const signers = await verifyKeptLeaf(own, pack.manifest?.origin, trust, verifySignature);
  const said = `the log knows this file by its SHA-256, since ${formatTimestamp(parseTimestamp(entry.at))}`;
  return signers === undefined ? skip(`${said}, as its receipt says: whose log it is needs a trust file`) : pass(said);
}

function contentHashOf(core: JsonValue): JsonValue | undefined {
  const read = packExportCore.safeParse(core);
  return read.success ? read.data.content_hash : undefined;
}

function typeOf(entry: string): string | undefined {
  try {
    return readEntry({ name: 'an entry', entry }).type;
  } catch {
    // Whatever it is, it is not the entry of a pack.
    return undefined;
  }
}
