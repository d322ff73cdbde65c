import type { ProofBundle, TrustFile } from '@answer-evidence/contracts';
import { keysAt } from '@answer-evidence/verify';
import type { Verdict } from '../../conformance/run.mjs';
import {
  findUnnoticed,
  readUnnoticedRows,
  type UnnoticedRow,
} from '../../libs/domain/verify/fixtures/unnoticed-rows.ts';
import { NOT_JSON, SAME_VALUE } from './changes.ts';
import type { Change, Draft } from './draft-suite.ts';
import { type ArtefactSet, WITHOUT_TEXTS } from './list-sets.ts';

/** A place of a file, and the checks of which one FAILs for every change of it. */
type PlaceRule = readonly [file: string, place: RegExp, ...checks: readonly string[]];

/** What follows from docs/formats, "Verifying a bundle" and "Verifying a run". */
const RULES: Readonly<Record<ArtefactSet['kind'], readonly PlaceRule[]>> = {
  bundle: [
    ['bundle', /^\/origin/, 'checkpoint_signature'],
    ['bundle', /^\/status/, 'status_derivation'],
    ['bundle', /^\/record\/core/, 'record_hash'],
    ['bundle', /^\/record\/disclosed\/question/, 'question_commitment'],
    ['bundle', /^\/record\/disclosed\/answer/, 'answer_commitment'],
    ['bundle', /^\/record\/disclosed\/source_refs/, 'source_refs'],
    ['bundle', /^\/record\/disclosed\/semantic_refs/, 'semantic_refs'],
    ['bundle', /^\/events\/\d+\/core/, 'event_chain'],
    ['bundle', /^\/events\/\d+\/disclosed\/corrected_text/, 'corrections'],
    ['bundle', /^\/events\/\d+\/disclosed\/(reason|payload_rest)/, 'event_chain'],
    ['bundle', /^\/(record|events\/\d+|attachments\/\d+)\/(entry|leaf_hash)/, 'leaf_entry'],
    ['bundle', /^\/(record|events\/\d+|attachments\/\d+)\/(proof|leaf_index)/, 'merkle_inclusion'],
    ['bundle', /^\/attachments\/\d+\/core/, 'leaf_entry', 'trace_refs'],
    [
      'bundle',
      /^\/evidence\/(.*\/)?(core|segments\/\d+\/(index|segment_id|hash|proof))/,
      'leaf_entry',
      'evidence_binding',
    ],
    ['bundle', /^\/evidence\/.*\/(entry|leaf_hash)/, 'leaf_entry'],
    ['bundle', /^\/evidence\/.*\/(proof|leaf_index)/, 'merkle_inclusion', 'evidence_binding'],
    ['bundle', /^\/checkpoint/, 'merkle_inclusion'],
    ['receipt', /^/, 'receipt'],
  ],
  run: [
    ['proof', /^\/origin/, 'statement'],
    ['proof', /^\/run\/(core|entry|leaf_hash)/, 'leaf_entry'],
    ['proof', /^\/run\/(proof|leaf_index)/, 'merkle_inclusion'],
    ['proof', /^\/workspace_id/, 'leaf_entry'],
    ['proof', /^\/note/, 'statement'],
    ['proof', /^\/consistency/, 'checkpoint_consistency'],
    ['proof', /^\/checkpoint/, 'merkle_inclusion'],
    ['records', /^/, 'records'],
  ],
  receipt: [
    ['entry', /^/, 'merkle_inclusion'],
    ['receipt', /^/, 'merkle_inclusion', 'checkpoint_signature'],
  ],
};

/** Changes by which a closed object is no longer of its format. */
const OF_THE_FORM = ['removed', 'added', 'retyped'];
/** Objects that are open, and members that may be absent. */
const OPEN =
  /\/(attachments\/\d+\/core|accesses\/\d+\/core|registered\/core|erasures\/\d+\/core|item|payload|anchors|anchors_required|evidence)(\/|$)/;
/** Members of another bundle with which a bundle may be good all the same, such as all of a record without events. */
const FOREIGN_MAY_HOLD = /^\/(record|evidence|attachments|anchors|log_keys|policy|workspace_id)$/;

type Outcomes = Readonly<Record<string, string>>;

/** The rules that every verdict is held to, whichever verifiers agree on it. */
export async function readRules() {
  const rows = [...(await readUnnoticedRows('unnoticed')), ...(await readUnnoticedRows('unnoticed-more'))];
  return {
    /** What is wrong with the verdict on case `n` of the suite, in words. */
    faultsOf({ sets, changes }: Draft, n: number, verdicts: readonly Verdict[]): readonly string[] {
      const verdict = verdicts[n] ?? {};
      const change = changes[n - sets.length];
      if (change === undefined) return verdict.refused === true ? ['an artefact that was issued is refused'] : [];
      const at = sets.findIndex(({ name }) => name === change.set);
      const set = sets[at];
      if (set === undefined) throw new Error(`there is no set ${change.set}`);
      const fault = findFault(rows, set, change, verdict, verdicts[at]?.outcomes ?? {});
      return fault === undefined ? [] : [fault];
    },
  };
}

function findFault(
  rows: readonly UnnoticedRow[],
  set: ArtefactSet,
  change: Change,
  { refused, outcomes = {} }: Verdict,
  intact: Outcomes,
): string | undefined {
  const { file, path, how } = change;
  // The verifier brings these files itself.
  const isOwn = file === 'trust' || file === 'references';
  if (refused === true) return isOwn ? undefined : 'evidence is refused, and must be judged';
  const isForm = OF_THE_FORM.includes(how) && !OPEN.test(path) && (isOwn || file === 'bundle' || file === 'proof');
  if (how === NOT_JSON || isForm) {
    if (isOwn) return 'must be refused';
    return Object.values(outcomes).every((outcome) => outcome === 'FAIL') ? undefined : 'must FAIL every check';
  }
  if (how === SAME_VALUE) {
    const isSame = Object.entries(intact).every(([check, outcome]) => outcomes[check] === outcome);
    return isSame ? undefined : 'must have the verdict of the same value';
  }
  const checks = checksThatFail(set, change, intact);
  if (checks === undefined && mayHold(rows, set, change)) return undefined;
  const asked = checks ?? Object.keys(outcomes);
  return asked.some((check) => outcomes[check] === 'FAIL')
    ? undefined
    : `must FAIL ${checks?.join(' or ') ?? 'a check'}`;
}

/** The checks of which one must FAIL for a change; undefined where no rule names them. */
function checksThatFail(set: ArtefactSet, change: Change, intact: Outcomes): readonly string[] | undefined {
  const { file, path, how } = change;
  if (set.kind === 'receipt' && set.name.endsWith('both') && file === 'receipt') return undefined;
  const isText = how === 'foreign' && path === '/record' && set.name.endsWith(WITHOUT_TEXTS);
  // It is the record with its texts, in a bundle that withholds them.
  if (isText && intact['question_commitment'] === 'SKIP') return ['question_commitment'];
  if (isKeyInForce(set, change)) return ['checkpoint_signature'];
  if (/^\/anchors\/\d+\/artefact$/.test(path) && intact['external_anchor'] === 'PASS' && isTimestamp(set, path))
    return ['external_anchor'];
  if (file === 'trust' && /^\/anchors\/\d+\/certificate_pem$/.test(path) && intact['external_anchor'] === 'PASS')
    return ['external_anchor'];
  if (file === 'receipt' && how === 'line doubled') return undefined;
  return RULES[set.kind].find(([of, place]) => of === file && place.test(path))?.slice(2) as string[] | undefined;
}

function mayHold(rows: readonly UnnoticedRow[], { kind }: ArtefactSet, { file, path, how }: Change): boolean {
  if (how === 'foreign' && FOREIGN_MAY_HOLD.test(path)) return true;
  const named = /^(log|trust|bundle|receipt)/.exec(file)?.[0] ?? kind;
  return findUnnoticed(rows, { file: named, path: path.replace(/\.p\/\d+$/, ''), how }) !== undefined;
}

/** What the rules read of a bundle, a proof or a trust file; the files of the sets are of their formats. */
type Shown = Pick<ProofBundle, 'checkpoint' | 'log_keys' | 'anchors'> & Pick<TrustFile, 'logs'>;

function readShown({ files }: ArtefactSet, ...names: readonly string[]): Shown {
  const file = files.find(({ name }) => names.includes(name));
  if (file === undefined) throw new Error(`the set has no ${names.join(' or ')}`);
  return JSON.parse(file.text) as Shown;
}

/** Whether a change is of a key that the log has at the size of the checkpoint: nobody else can have signed it. */
function isKeyInForce(set: ArtefactSet, { file, path }: Change): boolean {
  const [, place, index] = /^(\/log_keys|\/logs\/0\/keys)\/(\d+)\/(?:vkey|first_tree_size)$/.exec(path) ?? [];
  if (place === undefined) return false;
  const size = Number(readShown(set, 'bundle', 'proof').checkpoint.split('\n')[1]);
  const shown = readShown(set, file);
  const key = (place === '/log_keys' ? shown.log_keys : shown.logs[0]?.keys)?.[Number(index)];
  return key !== undefined && keysAt([key], size).length > 0;
}

function isTimestamp(set: ArtefactSet, path: string): boolean {
  return readShown(set, 'bundle', 'proof').anchors[Number(path.split('/')[2])]?.type === 'rfc3161';
}
