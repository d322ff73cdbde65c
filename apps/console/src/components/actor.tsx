import { useTranslation } from 'react-i18next';
import type { Actor as ActorOf, MentionedName } from '@answer-evidence/contracts';
import { useSession } from '../session/session-context.tsx';
import { useWorkspaceQuery } from '../session/workspace-query.ts';
import { PlainText } from './plain-text.tsx';

type Props = {
  readonly actor: ActorOf;
  /** Names that came with the entry. */
  readonly names?: readonly MentionedName[];
};

/** Who did something. The log names a member by id; the name is looked up where the reader may, also a former one's. */
export function Actor({ actor, names = [] }: Props) {
  const { t } = useTranslation();
  const { session, may } = useSession();
  const isUser = actor.kind === 'user';
  const known = names.find(({ id }) => id === actor.id)?.name ?? (isOwn() ? session.member.name : undefined);
  const looked = useWorkspaceQuery(
    ['member-name', actor.id],
    async (client) => (await client.members.get(actor.id)).username,
    { enabled: isUser && may('members.read') && known === undefined, staleTime: Infinity, retry: false },
  );
  function isOwn(): boolean {
    return isUser && actor.id === session.member.id;
  }
  const name = known ?? looked.data;
  const id = `${t(`actors.${actor.kind}`)} ${actor.id}`;
  if (name === undefined) return <PlainText text={id} />;
  return (
    <span title={id}>
      <PlainText text={name} />
    </span>
  );
}
