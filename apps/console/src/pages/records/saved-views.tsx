import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionMenu } from '../../components/action-menu.tsx';
import { AppModal } from '../../components/app-modal.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { useSession } from '../../session/session-context.tsx';
import type { SearchTexts } from '../../shell/search.ts';
import { keepViews, readViews, type SavedView } from './kept-views.ts';

type Props = { readonly search: SearchTexts; readonly onShow: (search: Record<string, string>) => void };

/** Filters that the reader named, kept in this browser for this workspace. */
export function SavedViews({ search, onShow }: Props) {
  const { t } = useTranslation();
  const { session } = useSession();
  const [views, setViews] = useState<readonly SavedView[]>(() => readViews(localStorage, session.workspace.id));
  const [isNaming, setNaming] = useState(false);
  const [name, setName] = useState('');
  const keep = (next: readonly SavedView[]) => {
    keepViews(localStorage, session.workspace.id, next);
    setViews(next);
  };

  function save(event: FormEvent): void {
    event.preventDefault();
    const trimmed = name.trim();
    if (trimmed === '') return;
    keep([...views.filter((view) => view.name !== trimmed), { name: trimmed, search }]);
    setName('');
    setNaming(false);
  }

  return (
    <>
      <ActionMenu
        title={t('views.title')}
        button={{ variant: 'default' }}
        parts={[
          ...views.map((view) => ({
            kind: 'item' as const,
            key: `view ${view.name}`,
            title: <PlainText text={view.name} />,
            onChoose: () => onShow({ ...view.search }),
          })),
          ...(views.length === 0 ? [{ kind: 'label' as const, title: t('views.none') }] : []),
          { kind: 'line' },
          {
            kind: 'item',
            key: 'save',
            title: t('views.save'),
            onChoose: () => setNaming(true),
            isDisabled: Object.keys(search).length === 0,
          },
          ...(views.length === 0
            ? []
            : [{ kind: 'item' as const, key: 'remove', title: t('views.removeAll'), onChoose: () => keep([]) }]),
        ]}
      />
      <AppModal opened={isNaming} onClose={() => setNaming(false)} title={t('views.save')}>
        <form onSubmit={save}>
          <TextInput
            label={t('views.name')}
            description={t('views.hint')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            maxLength={100}
            required
            data-autofocus
            mb="md"
          />
          <Button type="submit">{t('common.save')}</Button>
        </form>
      </AppModal>
    </>
  );
}
