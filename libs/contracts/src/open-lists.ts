import { listedAnchorType } from './anchor-types.ts';
import { evidenceAccessKind } from './evidence.ts';
import { entryType } from './ledger-entries.ts';
import { memberChange, roleSource } from './members.ts';
import { notificationType } from './notifications.ts';
import { attentionKind } from './overview.ts';
import { problemCode } from './problems.ts';
import { memberRole } from './roles.ts';
import { searchMeaning, wordIndexCondition, wordSearchState } from './search.ts';
import { explainedOutcome, ignoredReason, traceFate, traceOthers, unattachedReason } from './traces.ts';
import { approvalAct } from './two-people.ts';
import { checkName, voucherKind } from './verification.ts';

/** Every list of values that is marked `x-open-values`: one that a newer service may have added to. */
export const OPEN_LISTS: readonly { readonly options: readonly string[] }[] = [
  approvalAct,
  attentionKind,
  checkName,
  entryType,
  evidenceAccessKind,
  explainedOutcome,
  ignoredReason,
  listedAnchorType,
  memberChange,
  memberRole,
  notificationType,
  problemCode,
  roleSource,
  searchMeaning,
  traceFate,
  traceOthers,
  unattachedReason,
  voucherKind,
  wordIndexCondition,
  wordSearchState,
];
