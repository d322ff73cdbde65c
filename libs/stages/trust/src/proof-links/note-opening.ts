import { PROOF_OPENING_SECONDS, type ProofLinkUseCore } from '@answer-evidence/contracts';
import { MICROS_PER_SECOND } from '@answer-evidence/encoding';
import { createProofLinkUseCommand } from '@answer-evidence/ledger';
import { newCoreIdentity, type Workspace } from '@answer-evidence/ports';
import type { TrustDeps } from '../deps.ts';
import type { StoredLink } from './read-links.ts';

/** Resolves to the id of the entry that says that a link was opened, which stands in the log by then. */
type NoteOpening = (workspace: Workspace, link: StoredLink) => Promise<string>;

/** Links of a workspace whose last entry of this process is remembered; the others are asked of the log. */
const REMEMBERED_MAX = 2_500;

type Noted = Map<string, { readonly until: number; readonly entryId: Promise<string> }>;

/**
 * Notes openings, each link's at most once an hour, so that a stranger cannot make the log grow by opening it again and
 * again. A process remembers what it noted: a request that has read the log before it was noted finds it here. Another
 * process may note the same hour once more, so the bound for all is one per hour and process.
 */
export function createNoteOpening(deps: Pick<TrustDeps, 'ledger' | 'clock' | 'random'>): NoteOpening {
  const notedOf = new Map<string, Noted>();
  const windowMicros = PROOF_OPENING_SECONDS * MICROS_PER_SECOND;

  async function append(workspace: Workspace, { core }: StoredLink): Promise<string> {
    const use: ProofLinkUseCore = {
      ...newCoreIdentity(deps),
      answer_log_id: core.answer_log_id,
      proof_link_id: core.id,
      actor: { kind: 'service', id: 'proof-page', token_id: null },
    };
    await deps.ledger.append(workspace.id, () => createProofLinkUseCommand(workspace.id, 'proof_link_opened', use));
    return use.id;
  }

  return (workspace, link) => {
    const { opened, core } = link;
    const now = deps.clock.nowMicros();
    if (opened !== null && now < opened.at + windowMicros) return Promise.resolve(opened.entryId);
    const noted: Noted = notedOf.get(workspace.id) ?? new Map();
    notedOf.set(workspace.id, noted);
    const before = noted.get(core.id);
    if (before !== undefined && now < before.until) return before.entryId;
    const entryId = append(workspace, link);
    noted.delete(core.id);
    noted.set(core.id, { until: now + windowMicros, entryId });
    const [oldest] = noted.keys();
    if (noted.size > REMEMBERED_MAX && oldest !== undefined) noted.delete(oldest);
    // What was not noted is tried again by the next opening.
    entryId.catch(() => noted.delete(core.id));
    return entryId;
  };
}
