import { type EntryType, WORKSPACE_ENTRY_TYPES } from '@answer-evidence/contracts';

/**
 * Whose entry a type is: that decides its subject, and where its object is stored. What is `attached` belongs to a
 * record.
 */
type EntryKind = 'genesis' | 'epoch' | 'record' | 'attached' | 'evidence' | 'workspace';

type AboutWorkspace = (typeof WORKSPACE_ENTRY_TYPES)[number];

/** What is about an answer or evidence. */
const ABOUT_OBJECTS: Readonly<Record<Exclude<EntryType, AboutWorkspace>, EntryKind>> = {
  answer_recorded: 'record',
  lifecycle_event: 'attached',
  trace_attached: 'attached',
  evidence_linked: 'evidence',
  text_expired: 'attached',
  evidence_registered: 'evidence',
  evidence_accessed: 'evidence',
  evidence_redacted: 'evidence',
  evidence_expired: 'evidence',
};

const aboutWorkspace = Object.fromEntries(WORKSPACE_ENTRY_TYPES.map((type) => [type, 'workspace'])) as Readonly<
  Record<AboutWorkspace, EntryKind>
>;

/** The kind of every type. */
export const ENTRY_KINDS: Readonly<Record<EntryType, EntryKind>> = {
  ...aboutWorkspace,
  ...ABOUT_OBJECTS,
  genesis: 'genesis',
  epoch_opened: 'epoch',
};
