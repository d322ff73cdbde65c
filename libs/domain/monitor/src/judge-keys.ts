import type { LogKey, MonitoredLog, TrustFile } from '@answer-evidence/contracts';
import { findPins } from '@answer-evidence/verify';
import type { Finding } from './finding.ts';
import type { SignedCheckpoint } from './signed-checkpoint.ts';

/** What the entries of a log say about its keys and its name, beside what the trust file says. */
type KeyJudgement = { readonly findings: readonly Finding[]; readonly notices: readonly string[] };

/**
 * Whether each key that the trust file gives the log was announced by an entry of the log, and each change that the
 * signatures show was. To be asked when all entries below the checkpoint have been read.
 */
export function judgeKeys(log: MonitoredLog, shown: SignedCheckpoint, trust: TrustFile): KeyJudgement {
  const { origin, size } = shown.checkpoint;
  const pins = findPins(trust, origin) ?? [];
  const unannounced = pins.flatMap((pin) => leavesOf(pin)).filter((leaf) => !log.key_changes.includes(leaf));
  const findings: Finding[] = unannounced
    .filter((leaf) => leaf < size)
    .map((leaf) => {
      const detail = `the trust file says that leaf ${leaf} changes the keys of ${origin}, but the log does not`;
      return { kind: 'unknown_key', detail };
    });
  const renamed = log.earlier.find(({ tree_size }) => !log.epochs.some((leaf) => leaf >= tree_size));
  if (renamed !== undefined) {
    const detail = `the log goes on as ${origin}, but no entry says that ${renamed.origin} got another name`;
    findings.push({ kind: 'unknown_key', detail });
  }
  const unpinned = findUnpinned(log, pins);
  if (shown.strangers > 0 && unpinned.length === 0) {
    const detail = `a key that neither the trust file nor the log names has signed the checkpoint of ${size} leaves`;
    findings.push({ kind: 'unknown_key', detail });
  }
  if (shown.absent > 0 && unpinned.length === 0) {
    const detail = `a key of the trust file has not signed the checkpoint of ${size} leaves, and the log has not retired it`;
    findings.push({ kind: 'unknown_key', detail });
  }
  return { findings, notices: unpinned.length === 0 ? [] : [`${describeChanges(unpinned)}; ${ADVICE}`] };
}

/** What to do about a change of keys that the log has announced. */
const ADVICE = "compare the new key's fingerprint with the log's owner, and use a new trust file (`trust export`)";

/** What the log has announced and the trust file does not know, as a clause; undefined when there is nothing. */
export function describeUnpinned(log: MonitoredLog, trust: TrustFile, origin: string): string | undefined {
  const unpinned = findUnpinned(log, findPins(trust, origin) ?? []);
  return unpinned.length === 0 ? undefined : `${describeChanges(unpinned)}; ${ADVICE}`;
}

function describeChanges(leaves: readonly number[]): string {
  return `the log has announced a change of its keys that the trust file does not know, at leaf ${leaves.join(', ')}`;
}

/** Changes of keys under the present name that no pin speaks of. */
function findUnpinned(log: MonitoredLog, pins: readonly LogKey[]): readonly number[] {
  const since = log.epochs.at(-1) ?? 0;
  const pinned = pins.flatMap(leavesOf);
  return log.key_changes.filter((leaf) => leaf > since && !pinned.includes(leaf));
}

/** The leaves at which a pin says that its key begins and ends. The first key of a name has no leaf of its own. */
function leavesOf({ first_tree_size: first, last_tree_size: last }: LogKey): readonly number[] {
  return [...(first === 0 ? [] : [first - 1]), ...(last === null ? [] : [last])];
}
