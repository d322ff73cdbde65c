import { Button, Group, Text, Title } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LogKeyAlgorithm, LogKeyItem } from '@answer-evidence/contracts';
import { Chip } from '../../components/chip.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { useSession } from '../../session/session-context.tsx';
import { useReload, useWorkspaceQuery } from '../../session/workspace-query.ts';

/** As people write them. */
const ALGORITHMS: Readonly<Record<LogKeyAlgorithm, string>> = { ed25519: 'Ed25519', 'ml-dsa-44': 'ML-DSA-44' };

type KeyChange = { readonly retired: string } | { readonly added: LogKeyAlgorithm };

/** The keys that sign checkpoints: compare them over another channel, add one, retire one. */
export function LogKeys() {
  const { t } = useTranslation();
  const { client, may } = useSession();
  const reload = useReload();
  const [open, setOpen] = useState<KeyChange | null>(null);
  const keys = useWorkspaceQuery(['log-keys'], (client) => client.trust.keys());
  const columns: readonly Column<LogKeyItem>[] = [
    {
      id: 'vkey',
      title: t('logKeys.key'),
      cell: ({ vkey }) => (
        <span className="mono">
          <PlainText text={shorten(vkey)} />
        </span>
      ),
    },
    { id: 'algorithm', title: t('logKeys.algorithm'), cell: ({ algorithm }) => ALGORITHMS[algorithm] },
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
          <Group>
            <Button variant="default" onClick={() => setOpen({ added: 'ed25519' })}>
              {t('logKeys.add')}
            </Button>
            {keys.data?.items.some(isLiveMlDsa) === true && (
              <Button variant="default" onClick={() => setOpen({ added: 'ml-dsa-44' })}>
                {t('logKeys.addMlDsa')}
              </Button>
            )}
          </Group>
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
          {...wordsOf(t, open)}
          onConfirm={async () => {
            await ('added' in open
              ? client.trust.addKey({ algorithm: open.added })
              : client.trust.retireKey(open.retired));
            await reload('log-keys');
          }}
          onClose={() => setOpen(null)}
        />
      )}
    </section>
  );
}

const SHOWN_MAX = 200;

/** A key of ML-DSA-44 has too many characters to be compared by eye; its name and id are at its beginning. */
function shorten(vkey: string): string {
  return vkey.length > SHOWN_MAX ? `${vkey.slice(0, SHOWN_MAX)}…` : vkey;
}

function isLiveMlDsa({ algorithm, state }: LogKeyItem): boolean {
  return algorithm === 'ml-dsa-44' && state !== 'retired';
}

function wordsOf(t: TFunction, change: KeyChange) {
  if ('retired' in change)
    return {
      title: t('logKeys.retireTitle'),
      consequence: t('logKeys.retireText'),
      action: t('logKeys.retire'),
      isDangerous: true,
    };
  const name = change.added === 'ed25519' ? t('logKeys.add') : t('logKeys.addMlDsa');
  return { title: name, consequence: t('logKeys.addText'), action: name, isDangerous: false };
}
