import type { TrustFile, Verification, Voucher } from '@answer-evidence/contracts';
import { parseBase64, utf8 } from '@answer-evidence/encoding';
import type { Context } from '../context.ts';
import { sortEvidence } from './sort-evidence.ts';
import { verifyGiven } from './verify-given.ts';

/** Where the log of a case stands, beside its files. */
const LOG = 'log/';

/**
 * Judges files that were given together, as a case of the conformance suite has them: the outcome of each check by the
 * name of its file, what could not be verified at all, and of bundles the window.
 */
export async function judgeFiles(
  files: Readonly<Record<string, string>>,
  tiles: Readonly<Record<string, string>> | undefined,
  context: Context,
  trust: TrustFile,
): Promise<{ readonly outcomes: Readonly<Record<string, string>> }> {
  const contents = new Map<string, Uint8Array>([
    ...Object.entries(files).map(([name, text]) => [name, utf8(text)] as const),
    ...Object.entries(tiles ?? {}).map(([path, base64]) => [`${LOG}${path}`, parseBase64(base64)] as const),
  ]);
  const read = (path: string): Promise<Uint8Array> => {
    const found = contents.get(path.replaceAll('\\', '/'));
    if (found !== undefined) return Promise.resolve(found);
    return Promise.reject(Object.assign(new Error('no such file'), { code: 'ENOENT' }));
  };
  const io = { ...context.io, files: { ...context.io.files, read } };
  const names = Object.keys(files).filter((name) => name !== 'trust');
  const { verified } = await verifyGiven(await sortEvidence(io, names), {
    context: { ...context, io },
    trust,
    tlog: tiles === undefined ? undefined : LOG,
    isSummary: false,
  });
  const outcomes: Record<string, string> = {};
  for (const one of verified) {
    const name = one.file.replace(/\/$/, '');
    if (one.kind === 'fault') outcomes[`${name} readable`] = 'FAIL';
    else for (const { check, outcome } of one.checks) outcomes[`${name} ${check}`] = outcome;
    if (one.kind !== 'bundle') continue;
    const { after, after_by: afterBy, not_later_than: until, not_later_than_by: untilBy } = windowOf(one.json);
    outcomes[`${name} after`] = describeEnd(after, afterBy);
    outcomes[`${name} not_later_than`] = describeEnd(until, untilBy);
  }
  return { outcomes };
}

function windowOf(json: object): Verification['sequenced'] {
  return (json as Verification).sequenced;
}

/** The end of a window as a verdict has it: the time, and who vouches for it. */
function describeEnd(at: string | null, by: readonly Voucher[]): string {
  return [at ?? 'none', ...by.map(({ kind, name }) => `${kind} ${name}`)].join(', ');
}
