import { Button, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LogKeyItem } from '@answer-evidence/contracts';
import { Chip } from '../../components/chip.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { useSession } from '../../session/session-context.tsx';

/** The keys that sign checkpoints: compare them over another channel, add one, retire one. */
export function LogKeys() {
  const { t } = useTranslation();
  const { client, session, may } = useSession();
  const queries = useQueryClient();
  const [open, setOpen] = useState<{ readonly retired: string | null } | null>(null);
  const keys = useQuery({ queryKey: ['log-keys', session.workspace.id], queryFn: () => client.trust.keys() });
  const columns: readonly Column<LogKeyItem>[] = [
    {
      id: 'vkey',
      title: t('logKeys.key'),
      cell: ({ vkey }) => (
        <span className="mono">
          <PlainText text={vkey} />
        </span>
      ),
    },
    {
      id: 'state',
      title: t('logKeys.state'),
      cell: ({ state }) => <Chip color={state === 'retired' ? 'gray' : 'green'}>{t(`logKeys.${state}`)}</Chip>,
    },
    ...(may('trust.manage')
      ? [
          {
            id: 'actions',
            title: t('common.actions'),
            cell: ({ vkey, state }: LogKeyItem) =>
              state !== 'retired' && (
                <Button size="compact-sm" variant="default" onClick={() => setOpen({ retired: vkey })}>
                  {t('logKeys.retire')}
                </Button>
              ),
          },
        ]
      : []),
  ];
  return (
    <section aria-labelledby="log-keys" className="section">
      <div className="page-head">
        <Title order={2} size="h4" id="log-keys">
          {t('logKeys.title')}
        </Title>
        {may('trust.manage') && (
          <Button variant="default" onClick={() => setOpen({ retired: null })}>
            {t('logKeys.add')}
          </Button>
        )}
      </div>
      <Text mb="sm">{t('logKeys.text')}</Text>
      <Loaded query={keys}>
        {({ origin, items }) => (
          <>
            <Text mb="sm">
              {t('logKeys.origin')}{' '}
              <span className="mono">
                <PlainText text={origin} />
              </span>
            </Text>
            <DataTable caption={t('logKeys.title')} columns={columns} rows={items} keyOf={({ vkey }) => vkey} />
          </>
        )}
      </Loaded>
      {open !== null && (
        <ConfirmDialog
          title={t(open.retired === null ? 'logKeys.add' : 'logKeys.retireTitle')}
          consequence={t(open.retired === null ? 'logKeys.addText' : 'logKeys.retireText')}
          action={t(open.retired === null ? 'logKeys.add' : 'logKeys.retire')}
          isDangerous={open.retired !== null}
          onConfirm={async () => {
            await (open.retired === null ? client.trust.addKey() : client.trust.retireKey(open.retired));
            await queries.invalidateQueries({ queryKey: ['log-keys'] });
          }}
          onClose={() => setOpen(null)}
        />
      )}
    </section>
  );
}
