import { Button, Menu, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AppModal } from '../../components/app-modal.tsx';
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
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default">{t('views.title')}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {views.map((view) => (
            <Menu.Item key={view.name} onClick={() => onShow({ ...view.search })}>
              <bdi>{view.name}</bdi>
            </Menu.Item>
          ))}
          {views.length === 0 && <Menu.Label>{t('views.none')}</Menu.Label>}
          <Menu.Divider />
          <Menu.Item disabled={Object.keys(search).length === 0} onClick={() => setNaming(true)}>
            {t('views.save')}
          </Menu.Item>
          {views.length > 0 && <Menu.Item onClick={() => keep([])}>{t('views.removeAll')}</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
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
