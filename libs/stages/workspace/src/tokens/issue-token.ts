import { formatUserToken } from '@answer-evidence/access';
import {
  type Actor,
  type IssuedToken,
  type Scope,
  SCOPES,
  ServiceError,
  TOKEN_LIFE_SECONDS_MAX,
  type TokenIssuedCore,
} from '@answer-evidence/contracts';
import { sha256 } from '@answer-evidence/digest';
import { formatHex, formatTimestamp, MICROS_PER_SECOND } from '@answer-evidence/encoding';
import { type AppendCommand, createTokenCommand, type TokenHolder } from '@answer-evidence/ledger';
import { type ApplicationTokens, type IdSource, type Ledger, newCoreIdentity, newId } from '@answer-evidence/ports';
import { toIssuedTokenResource } from './to-token-resource.ts';

const SECRET_BYTES = 32;

/** What issuing needs from around it. */
export type IssuingDeps = IdSource & {
  readonly ledger: Pick<Ledger, 'append'>;
  /** How many live tokens a workspace may have; absent: any number. */
  readonly tokensMax?: number;
};

/** What is common to tokens of both kinds. */
type Terms = { readonly name: string; readonly lifeSeconds: number; readonly actor: Actor };

/** A token that no row vouches for yet: what its entry will say, and the token itself. */
export type MadeToken = { readonly core: TokenIssuedCore; readonly token: string };

/**
 * Issues a token that speaks for a user, who must be an active member of the workspace when it is issued, else `holder`
 * says what is thrown. The token itself is in the result and nowhere else. Throws `name_taken`, `schema_violation` for
 * a life beyond 90 days, and what the ledger throws.
 */
export async function issueUserToken(
  deps: IssuingDeps,
  workspaceId: string,
  user: { readonly id: string },
  name: string,
  lifeSeconds: number,
  actor: Actor,
  holder: TokenHolder = {
    refusal: new ServiceError('unauthenticated', 'the user is no longer an active member; ask a tenant manager'),
  },
): Promise<IssuedToken> {
  const made = makeUserToken(deps, user, { name, lifeSeconds, actor });
  return appendIssue(deps, workspaceId, createTokenCommand(workspaceId, made.core, holder, deps.tokensMax), made);
}

/** Issues an application JWT, bound to one application key, by a current manager. Throws as `issueUserToken` does. */
export async function issueApplicationToken(
  deps: IssuingDeps & { readonly applicationTokens: ApplicationTokens },
  workspaceId: string,
  bound: { readonly applicationKey: string; readonly scopes: readonly Scope[] },
  terms: Terms,
): Promise<IssuedToken> {
  const made = await makeApplicationToken(deps, workspaceId, bound, terms);
  return appendIssue(deps, workspaceId, createTokenCommand(workspaceId, made.core, 'by who may', deps.tokensMax), made);
}

/** A token that speaks for a user. Throws `schema_violation` for a life beyond 90 days. */
export function makeUserToken(
  deps: IdSource,
  user: { readonly id: string },
  terms: Terms,
  secret = deps.random.bytes(SECRET_BYTES),
): MadeToken {
  const core: TokenIssuedCore = {
    ...planToken(deps, terms).core,
    kind: 'user',
    application_key: null,
    scopes: [],
    user_id: user.id,
    secret_hash: `sha256:${formatHex(sha256(secret))}`,
  };
  return { core, token: formatUserToken(core.token_id, secret) };
}

/** A signed token of an application. Throws `schema_violation` for a life beyond 90 days. */
export async function makeApplicationToken(
  deps: IdSource & { readonly applicationTokens: ApplicationTokens },
  workspaceId: string,
  bound: { readonly applicationKey: string; readonly scopes: readonly Scope[] },
  terms: Terms,
): Promise<MadeToken> {
  const { core: common, issuedAt, expiresAt } = planToken(deps, terms);
  const scopes = SCOPES.filter((scope) => bound.scopes.includes(scope));
  const core: TokenIssuedCore = {
    ...common,
    kind: 'application',
    application_key: bound.applicationKey,
    scopes,
    user_id: null,
    secret_hash: null,
  };
  // Signed first: a token without its row is refused everywhere; a row without its token blocks the name.
  const token = await deps.applicationTokens.sign({
    tokenId: core.token_id,
    workspaceId,
    applicationKey: bound.applicationKey,
    scopes,
    issuedAt,
    expiresAt,
  });
  return { core, token };
}

function planToken(source: IdSource, { name, lifeSeconds, actor }: Terms) {
  if (!Number.isSafeInteger(lifeSeconds) || lifeSeconds < 1 || lifeSeconds > TOKEN_LIFE_SECONDS_MAX) {
    const detail = `must be a whole number from 1 to ${TOKEN_LIFE_SECONDS_MAX}`;
    throw new ServiceError('schema_violation', 'the lifetime of the token is out of range', {
      errors: [{ pointer: '/expires_in_seconds', detail }],
    });
  }
  // Whole seconds, as a JWT has them, so that the row and the token name the same moment.
  const issuedAt = Math.floor(source.clock.nowMicros() / MICROS_PER_SECOND) * MICROS_PER_SECOND;
  const expiresAt = issuedAt + lifeSeconds * MICROS_PER_SECOND;
  const core = {
    ...newCoreIdentity(source),
    token_id: newId(source),
    name,
    expires_at: formatTimestamp(expiresAt),
    actor,
  };
  return { core, issuedAt, expiresAt };
}

/** Appends what issues a token, its `token_issued` entry first, and shows the token. */
export async function appendIssue(
  deps: Pick<IssuingDeps, 'ledger'>,
  workspaceId: string,
  command: AppendCommand,
  { core, token }: MadeToken,
): Promise<IssuedToken> {
  const outcome = await deps.ledger.append(workspaceId, () => command);
  const [entry] = outcome.kind === 'appended' ? outcome.entries : [];
  if (entry === undefined) throw new Error('issuing a token appends its entry');
  return { ...toIssuedTokenResource(core, entry.at), token };
}
