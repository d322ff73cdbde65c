import { Button, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { HashKey } from '@answer-evidence/contracts';
import { Chip } from '../../components/chip.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Time } from '../../components/time.tsx';
import { useSession } from '../../session/session-context.tsx';
import { useReload, useWorkspaceQuery } from '../../session/workspace-query.ts';

/** The keys of keyed commitments. Their bytes never leave the service. */
export function HashKeys() {
  const { t } = useTranslation();
  const { client } = useSession();
  const reload = useReload();
  const [isOpen, setOpen] = useState(false);
  const keys = useWorkspaceQuery(['hash-keys'], (client) => client.hashKeys.list());
  const columns: readonly Column<HashKey>[] = [
    { id: 'id', title: t('hashKeys.id'), cell: ({ id }) => <span className="mono">{id}</span> },
    {
      id: 'state',
      title: t('hashKeys.state'),
      cell: ({ active }) => (
        <Chip color={active ? 'green' : 'gray'}>{t(active ? 'hashKeys.active' : 'hashKeys.kept')}</Chip>
      ),
    },
    { id: 'made', title: t('hashKeys.made'), cell: ({ created_at: at }) => <Time at={at} />, isMinor: true },
  ];
  return (
    <section aria-labelledby="hash-keys" className="section">
      <div className="page-head">
        <Title order={2} size="h4" id="hash-keys">
          {t('hashKeys.title')}
        </Title>
        <Button variant="default" onClick={() => setOpen(true)}>
          {t('hashKeys.create')}
        </Button>
      </div>
      <Text mb="sm">{t('hashKeys.text')}</Text>
      <Loaded query={keys}>
        {(items) =>
          items.length === 0 ? (
            <Text c="dimmed">{t('hashKeys.none')}</Text>
          ) : (
            <DataTable caption={t('hashKeys.title')} columns={columns} rows={items} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
      {isOpen && (
        <ConfirmDialog
          title={t('hashKeys.create')}
          consequence={t('hashKeys.createText')}
          action={t('hashKeys.create')}
          onConfirm={async () => {
            await client.hashKeys.create();
            await Promise.all([reload('hash-keys'), reload('settings')]);
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </section>
  );
}
