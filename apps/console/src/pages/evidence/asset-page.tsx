import { Alert, Group, Text } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Loaded } from '../../components/loaded.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { nameControls } from '../../components/split-controls.ts';
import { useSession } from '../../session/session-context.tsx';
import { useReload, useWorkspaceQuery } from '../../session/workspace-query.ts';
import { Accesses } from './accesses.tsx';
import { AssetFacts } from './asset-facts.tsx';
import { AssetState } from './asset-state.tsx';
import { Passages } from './passages.tsx';

/** One asset: what it is, what is in it for those who say why, and who looked before. */
export function AssetPage() {
  const { t } = useTranslation();
  const { may } = useSession();
  const reload = useReload();
  const { assetId } = useParams({ from: '/evidence/$assetId' });
  const query = useWorkspaceQuery(['asset', assetId], (client) => client.evidence.get(assetId));
  const [chosen, setChosen] = useState<readonly string[] | null>(null);
  const refresh = () => Promise.all([reload('asset', assetId), reload('accesses', assetId)]);
  return (
    <Loaded query={query}>
      {(asset) => (
        <>
          <Group gap="xs" mb={4}>
            <Text size="sm" c="dimmed">
              {t('evidence.one')} <span className="mono">{nameControls(asset.id.slice(-8))}</span>
            </Text>
            <AssetState state={asset.state} />
          </Group>
          <PageHead
            title={
              asset.name === null
                ? t(asset.state === 'available' ? 'evidence.noName' : 'evidence.nameGone')
                : nameControls(asset.name)
            }
          />
          {asset.state !== 'available' && (
            <Alert color="yellow" mb="md">
              {t(`evidence.${asset.state}Text`)}
            </Alert>
          )}
          <AssetFacts asset={asset} />
          {/* Nothing stays on the page of what an erasure took. */}
          <Passages
            key={`${asset.id} ${asset.erasure?.online_at}`}
            asset={asset}
            chosen={chosen}
            onChosen={setChosen}
            onAccess={refresh}
          />
          {may('evidence.accesses') ? (
            <Accesses key={asset.id} asset={asset} onRead={setChosen} />
          ) : (
            <Text className="section" c="dimmed">
              {t('accesses.notYours')}
            </Text>
          )}
          {asset.content_hash !== null && (
            <Text mt="md">
              <Link to="/evidence" search={{ content_hash: asset.content_hash }}>
                {t('evidence.same')}
              </Link>
            </Text>
          )}
        </>
      )}
    </Loaded>
  );
}
