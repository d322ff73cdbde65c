import { actorOf } from '@answer-evidence/access';
import { type PatchMemberRequest, ServiceError } from '@answer-evidence/contracts';
import { patchMember } from '@answer-evidence/contracts/operations';
import { createMemberCommand, ownActCommand } from '@answer-evidence/ledger';
import { newCoreIdentity } from '@answer-evidence/ports';
import { authenticatedUser, defineRoute, type Route } from '@answer-evidence/routes';
import { linkBaseOf, type WorkspaceDeps } from '../../deps.ts';
import { bindProviderLink } from '../../members/credentials.ts';
import { createVersionJudge } from '../../members/judge-version.ts';
import { makePasswordLink } from '../../members/password-link.ts';
import { planRevocations } from '../../members/plan-revocations.ts';
import { replyWithMember } from '../../members/to-member-resource.ts';
import { readWantedAccess } from '../../members/wanted-access.ts';

/**
 * `PATCH /api/members/{member_id}`: role and limits, disabled or not, a new password link, which ends the
 * password, and who the member is at an OpenID provider. Disabling ends the tokens for good, and so does less access.
 */
export function patchMemberRoute(deps: WorkspaceDeps): Route {
  return defineRoute({
    ...patchMember,
    async handle(request) {
      const { body, params } = request;
      const manager = authenticatedUser(request.caller);
      const workspace = await deps.directory.get(manager.workspaceId);
      const memberId = params.member_id;
      const identity = newCoreIdentity(deps);
      const { disabled, password_reset: reset } = body;
      const access = readWantedAccess(body);
      const link =
        reset === true
          ? makePasswordLink(deps, workspace, linkBaseOf(deps, workspace), { memberId, entryId: identity.id })
          : null;
      const linked = providerOf(deps, body);
      const provider = linked && bindProviderLink(workspace, { member_id: memberId, entry_id: identity.id, ...linked });
      const actor = actorOf(manager);
      const judge = createVersionJudge(request.header('if-match'), body.version);
      // Prepared anew when a token came or went meanwhile: each revocation has its entry.
      await deps.ledger.append(workspace.id, async (settings) => {
        const revocations =
          disabled === undefined && access === undefined
            ? []
            : await planRevocations(deps, workspace.id, memberId, actor);
        const command = createMemberCommand(
          { workspaceId: workspace.id, memberId, identity, actor },
          {
            kind: 'change',
            judge,
            revocations,
            ...(access === undefined ? {} : { access }),
            ...(disabled === undefined ? {} : { disabled }),
            ...(link === null ? {} : { link: link.row }),
            ...(provider === undefined ? {} : { provider }),
          },
        );
        if (access === undefined && disabled !== true) return command;
        return ownActCommand(command, {
          act: 'members',
          workspaceId: workspace.id,
          settings,
          requester: actor,
          identity: newCoreIdentity(deps),
        });
      });
      return replyWithMember(deps, workspace.id, memberId, { status: 200, link: link?.shown ?? null });
    },
  });
}

function providerOf({ signInIssuer }: WorkspaceDeps, { provider }: PatchMemberRequest) {
  if (provider === undefined || provider === null) return provider;
  const { subject, issuer = signInIssuer } = provider;
  if (issuer !== undefined) return { issuer, subject };
  throw new ServiceError('schema_violation', 'people sign in at no OpenID provider here', {
    errors: [{ pointer: '/provider/issuer', detail: 'must name the issuer, since SERVICE_OIDC_ISSUER is not set' }],
  });
}
