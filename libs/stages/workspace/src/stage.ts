import type { Stage } from '@answer-evidence/routes';
import type { ApprovalDeps } from './approvals/deps.ts';
import { expireApprovalsTicker } from './approvals/expire-approvals.ts';
import { createMemberAct } from './members/member-act.ts';
import type { OverviewDeps } from './overview/deps.ts';
import { countLogsTicker, noteHoldsTicker } from './overview/tickers.ts';
import { approveRequestRoute } from './routes/approve-request/handler.ts';
import { beginDeviceLoginRoute } from './routes/begin-device-login/handler.ts';
import { createHashKeyRoute } from './routes/create-hash-key/handler.ts';
import { createMemberRoute } from './routes/create-member/handler.ts';
import { createTokenRoute } from './routes/create-token/handler.ts';
import { declineRequestRoute } from './routes/decline-request/handler.ts';
import { getApprovalRoute } from './routes/get-approval/handler.ts';
import { getEntryRoute } from './routes/get-entry/handler.ts';
import { getIdentityRoute } from './routes/get-identity/handler.ts';
import { getKeySetRoute } from './routes/get-key-set/handler.ts';
import { getMemberRoute } from './routes/get-member/handler.ts';
import { getOverviewRoute } from './routes/get-overview/handler.ts';
import { getRetentionForecastRoute } from './routes/get-retention-forecast/handler.ts';
import { getSettingsRoute } from './routes/get-settings/handler.ts';
import { getTokenRoute } from './routes/get-token/handler.ts';
import { hashIdRoute } from './routes/hash-id/handler.ts';
import { listApprovalsRoute } from './routes/list-approvals/handler.ts';
import { listDeadLettersRoute } from './routes/list-dead-letters/handler.ts';
import { listEntriesRoute } from './routes/list-entries/handler.ts';
import { listHashKeysRoute } from './routes/list-hash-keys/handler.ts';
import { listMembersRoute } from './routes/list-members/handler.ts';
import { listReadingsRoute } from './routes/list-readings/handler.ts';
import { listTokensRoute } from './routes/list-tokens/handler.ts';
import { loginRoute } from './routes/login/handler.ts';
import { logoutRoute } from './routes/logout/handler.ts';
import { patchMemberRoute } from './routes/patch-member/handler.ts';
import { patchSettingsRoute } from './routes/patch-settings/handler.ts';
import { redeemDeviceLoginRoute } from './routes/redeem-device-login/handler.ts';
import { removeMemberRoute } from './routes/remove-member/handler.ts';
import { replayDeadLetterRoute } from './routes/replay-dead-letter/handler.ts';
import { requestApprovalRoute } from './routes/request-approval/handler.ts';
import { revokeTokenRoute } from './routes/revoke-token/handler.ts';
import { rotateTokenRoute } from './routes/rotate-token/handler.ts';
import { setPasswordRoute } from './routes/set-password/handler.ts';
import { showPasswordPageRoute } from './routes/show-password-page/handler.ts';
import { withdrawRequestRoute } from './routes/withdraw-request/handler.ts';
import { createSettingsAct } from './settings/settings-act.ts';

/** What managers and token holders do with the workspace: its settings, hash keys, tokens, members and identity. */
export function createWorkspaceStage(stageDeps: ApprovalDeps & OverviewDeps): Stage {
  const acts = { ...stageDeps.acts, settings: createSettingsAct(stageDeps), member: createMemberAct(stageDeps) };
  const deps = { ...stageDeps, acts };
  return {
    name: 'workspace',
    routes: [
      getSettingsRoute(deps),
      patchSettingsRoute(deps),
      getRetentionForecastRoute(deps),
      listEntriesRoute(deps),
      getEntryRoute(deps),
      listReadingsRoute(deps),
      requestApprovalRoute(deps),
      listApprovalsRoute(deps),
      getApprovalRoute(deps),
      approveRequestRoute(deps),
      declineRequestRoute(deps),
      withdrawRequestRoute(deps),
      listHashKeysRoute(deps),
      createHashKeyRoute(deps),
      hashIdRoute(deps),
      listTokensRoute(deps),
      createTokenRoute(deps),
      getTokenRoute(deps),
      rotateTokenRoute(deps),
      revokeTokenRoute(deps),
      listDeadLettersRoute(deps),
      replayDeadLetterRoute(deps),
      listMembersRoute(deps),
      createMemberRoute(deps),
      getMemberRoute(deps),
      patchMemberRoute(deps),
      removeMemberRoute(deps),
      loginRoute(deps),
      beginDeviceLoginRoute(deps),
      redeemDeviceLoginRoute(deps),
      logoutRoute(deps),
      setPasswordRoute(deps),
      showPasswordPageRoute(),
      getOverviewRoute(deps),
      getIdentityRoute(deps),
      getKeySetRoute(deps),
    ],
    tickers: [countLogsTicker(deps), noteHoldsTicker(deps), expireApprovalsTicker(deps)],
    consumers: [],
    schedules: [],
  };
}
