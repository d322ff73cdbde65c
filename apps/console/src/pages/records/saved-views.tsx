import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type SavedView, VIEW_NAME_LENGTH_MAX } from '@answer-evidence/contracts';
import { ActionError } from '../../components/action-error.tsx';
import { ActionMenu } from '../../components/action-menu.tsx';
import { AppModal } from '../../components/app-modal.tsx';
import { describeError } from '../../components/error-state.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { UndoNotice } from '../../components/undo-notice.tsx';
import { useAction } from '../../components/use-action.ts';
import { useSession } from '../../session/session-context.tsx';
import { useReload, useWorkspaceQuery } from '../../session/workspace-query.ts';
import type { SearchTexts } from '../../shell/search.ts';
import { toSearch, toViewFilters } from './view-filters.ts';

type Props = { readonly search: SearchTexts; readonly onShow: (search: Record<string, string>) => void };

/** Filters under a name, which everybody in the workspace sees. */
export function SavedViews({ search, onShow }: Props) {
  const { t } = useTranslation();
  const { client, session, may } = useSession();
  const reload = useReload();
  const saved = useWorkspaceQuery(['views'], (client) => client.search.views(), { staleTime: 60_000 });
  const views = saved.data?.items ?? [];
  // In place of the views: loading, failed, or none.
  let said = saved.data?.items.length === 0 ? t('views.none') : undefined;
  if (saved.isPending) said = t('common.loading');
  if (saved.isLoadingError) said = describeError(saved.error, t);
  const [isNaming, setNaming] = useState(false);
  const [name, setName] = useState('');
  const [removed, setRemoved] = useState<SavedView | null>(null);
  const { isBusy, error, run } = useAction();
  const isRemovable = ({ created_by: by }: SavedView) =>
    may('views.manage') || (may('views.change') && by === session.member.id);
  const shown = views.find((view) => isSame(toSearch(view.filters), search));

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    const isDone = await run(async () => {
      await client.search.saveView({ name: name.trim(), filters: toViewFilters(search) });
      await reload('views');
    });
    if (!isDone) return;
    setName('');
    setNaming(false);
  }
  const remove = (view: SavedView) =>
    run(async () => {
      setRemoved(null);
      await client.search.removeView(view.id);
      await reload('views');
      setRemoved(view);
    });
  const restore = ({ name: its, filters }: SavedView) =>
    run(async () => {
      await client.search.saveView({ name: its, filters });
      await reload('views');
      setRemoved(null);
    });

  return (
    <>
      <ActionMenu
        title={t('views.title')}
        button={{ variant: 'default' }}
        parts={[
          ...views.map((view) => ({
            kind: 'item' as const,
            key: view.id,
            title: <PlainText text={view.name} />,
            onChoose: () => onShow(toSearch(view.filters)),
          })),
          ...(said === undefined ? [] : [{ kind: 'label' as const, title: said }]),
          ...(may('views.change')
            ? [
                { kind: 'line' as const },
                {
                  kind: 'item' as const,
                  key: 'save',
                  title: t('views.save'),
                  onChoose: () => setNaming(true),
                  isDisabled: Object.keys(search).length === 0,
                },
              ]
            : []),
          ...(shown === undefined || !isRemovable(shown)
            ? []
            : [
                {
                  kind: 'item' as const,
                  key: 'remove',
                  title: t('views.remove'),
                  onChoose: () => void remove(shown),
                },
              ]),
        ]}
      />
      {!isNaming && <ActionError error={error} />}
      {removed !== null && (
        <UndoNotice
          said={t('views.removed')}
          isBusy={isBusy}
          // Somebody else's view would become the reader's own.
          onUndo={removed.created_by === session.member.id ? () => void restore(removed) : undefined}
          onClose={() => setRemoved(null)}
        />
      )}
      <AppModal opened={isNaming} onClose={() => setNaming(false)} title={t('views.save')}>
        <form onSubmit={(event) => void save(event)}>
          <TextInput
            label={t('views.name')}
            description={t('views.hint')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            maxLength={VIEW_NAME_LENGTH_MAX}
            required
            data-autofocus
            mb="md"
          />
          <ActionError error={error} />
          <Button type="submit" loading={isBusy}>
            {t('common.save')}
          </Button>
        </form>
      </AppModal>
    </>
  );
}

function isSame(one: SearchTexts, other: SearchTexts): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => one[name] === other[name]);
}
