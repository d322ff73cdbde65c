import { Button } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { EvidenceAsset } from '@answer-evidence/contracts';
import type { Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { formatSize } from '../../components/format-size.ts';
import { PageHead } from '../../components/page-head.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { Time } from '../../components/time.tsx';
import { useSession } from '../../session/session-context.tsx';
import { useWorkspacePage } from '../../session/workspace-query.ts';
import { AssetFilterBar } from './asset-filter-bar.tsx';
import { readAssetFilters } from './asset-filters.ts';
import { AssetState } from './asset-state.tsx';

const PAGE_SIZE = 50;

/** Every asset that matches the address, newest first. What is in an asset is nowhere here. */
export function AssetsPage() {
  const { t, i18n } = useTranslation();
  const { may } = useSession();
  const { cursor, ...rest } = useSearch({ from: '/evidence' });
  const navigate = useNavigate({ from: '/evidence' });
  const filters = readAssetFilters(rest);
  const isNarrowed = Object.keys(rest).length > 0;
  const list = useWorkspacePage(['assets', filters], cursor, (client, at) =>
    client.evidence.list(filters, { size: PAGE_SIZE, ...at }),
  );
  const show = (next: Record<string, string>) => void navigate({ search: next });
  const columns: readonly Column<EvidenceAsset>[] = [
    {
      id: 'name',
      title: t('evidence.name'),
      cell: ({ id, name }) => (
        <Link to="/evidence/$assetId" params={{ assetId: id }}>
          {name === null ? <span className="mono">{id}</span> : <PlainText text={name} />}
        </Link>
      ),
    },
    { id: 'state', title: t('records.status'), cell: ({ state }) => <AssetState state={state} /> },
    {
      id: 'application',
      title: t('records.application'),
      cell: ({ application_key: application }) => <PlainText text={application} />,
    },
    {
      id: 'kind',
      title: t('evidence.kind'),
      cell: ({ kind, content_type: type }) => (
        <>
          {t(`assetKinds.${kind}`)}{' '}
          {type !== null && (
            <span className="muted">
              <PlainText text={type} />
            </span>
          )}
        </>
      ),
      isMinor: true,
    },
    {
      id: 'size',
      title: t('evidence.size'),
      cell: ({ size_bytes: size }) => (size === null ? '–' : formatSize(size, i18n.language)),
      isMinor: true,
    },
    { id: 'segments', title: t('evidence.segments'), cell: ({ segment_count: count }) => count, isMinor: true },
    { id: 'created', title: t('evidence.created'), cell: ({ created_at: at }) => <Time at={at} />, isMinor: true },
  ];
  return (
    <>
      <PageHead title={t('evidence.title')}>
        {may('evidence.create') && (
          <Button component={Link} to="/evidence/new">
            {t('upload.title')}
          </Button>
        )}
      </PageHead>
      <AssetFilterBar key={JSON.stringify(rest)} search={rest} onChange={show} />
      <PagedTable
        caption={t('evidence.title')}
        columns={columns}
        query={list}
        keyOf={({ id }) => id}
        cursor={cursor}
        empty={
          <EmptyState title={t(isNarrowed ? 'evidence.noneMatch' : 'evidence.none')}>
            {t(isNarrowed ? 'evidence.noneMatchText' : 'evidence.noneText')}
          </EmptyState>
        }
        onOpen={({ id }) => void navigate({ to: '/evidence/$assetId', params: { assetId: id } })}
        onPage={(at) => show({ ...rest, ...at })}
      />
    </>
  );
}
