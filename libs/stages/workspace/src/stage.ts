import type { Stage } from '@answer-evidence/ports';
import type { WorkspaceParts } from './parts.ts';
import { createHashKeyRoute } from './routes/create-hash-key/handler.ts';
import { createTokenRoute } from './routes/create-token/handler.ts';
import { describeHostRoute } from './routes/describe-host/handler.ts';
import { getIdentityRoute } from './routes/get-identity/handler.ts';
import { getKeySetRoute } from './routes/get-key-set/handler.ts';
import { getSettingsRoute } from './routes/get-settings/handler.ts';
import { listHashKeysRoute } from './routes/list-hash-keys/handler.ts';
import { listTokensRoute } from './routes/list-tokens/handler.ts';
import { listDeadLettersRoute } from './routes/list-dead-letters/handler.ts';
import { patchSettingsRoute } from './routes/patch-settings/handler.ts';
import { rotateTokenRoute } from './routes/rotate-token/handler.ts';
import { replayDeadLetterRoute } from './routes/replay-dead-letter/handler.ts';
import { revokeTokenRoute } from './routes/revoke-token/handler.ts';

/** What managers and token holders do with the workspace itself: its policy, hash keys and tokens, and who they are. */
export function createWorkspaceStage(parts: WorkspaceParts): Stage {
  return {
    name: 'workspace',
    routes: [
      getSettingsRoute(parts),
      patchSettingsRoute(parts),
      listHashKeysRoute(parts),
      createHashKeyRoute(parts),
      listTokensRoute(parts),
      createTokenRoute(parts),
      rotateTokenRoute(parts),
      revokeTokenRoute(parts),
      listDeadLettersRoute(parts),
      replayDeadLetterRoute(parts),
      getIdentityRoute(parts),
      describeHostRoute(parts),
      getKeySetRoute(parts),
    ],
    tickers: [],
    consumers: [],
    schedules: [],
  };
}
