import type { MailTerms } from '@answer-evidence/contracts';
import type { Workspace } from '@answer-evidence/ports';
import type { TargetRow } from '@answer-evidence/tables';
import type { Addressee } from './compose-mail.ts';
import type { NotificationDeps } from './deps.ts';
import { openTarget } from './target-secrets.ts';

/** Who a target of mail writes to. */
export function addresseeOf(
  { consoleUrl }: Pick<NotificationDeps, 'consoleUrl'>,
  workspace: Workspace,
  row: TargetRow,
  language: MailTerms['language'],
): Addressee {
  const { url } = openTarget(workspace, row);
  return {
    to: url.slice('mailto:'.length),
    language,
    workspace: workspace.slug,
    consoleUrl: consoleUrl(workspace.slug),
    isOwn: row.member_id !== null,
    targetId: row.id,
  };
}
