import { Text } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { UNATTACHED_REASONS, type UnattachedTrace } from '@answer-evidence/contracts';
import type { Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { Time } from '../../components/time.tsx';
import { useWorkspacePage } from '../../session/workspace-query.ts';
import { LeftOutList } from './left-out-list.tsx';
import { TraceId } from './trace-id.tsx';

const PAGE_SIZE = 50;

/** Traces that named a record and belong to none, and why. */
export function Unattached() {
  const { t } = useTranslation();
  const { application_key: application = '', reason: asked, cursor } = useSearch({ from: '/opentelemetry' });
  const reason = UNATTACHED_REASONS.find((one) => one === asked);
  const filters = {
    ...(application === '' ? {} : { application_key: application }),
    ...(reason === undefined ? {} : { reason }),
  };
  const list = useWorkspacePage(['otel', 'unattached', filters], cursor, (client, at) =>
    client.otel.unattached(filters, { size: PAGE_SIZE, ...at }),
  );
  const columns: readonly Column<UnattachedTrace>[] = [
    {
      id: 'application',
      title: t('records.application'),
      cell: ({ application_key: key, environment }) => (
        <>
          <PlainText text={key} />{' '}
          <span className="muted">
            <PlainText text={environment} />
          </span>
        </>
      ),
    },
    {
      id: 'key',
      title: t('keys.idempotency_key'),
      cell: ({ idempotency_key: key }) => (
        <span className="mono">
          <PlainText text={key} />
        </span>
      ),
    },
    {
      id: 'reason',
      title: t('otel.reason'),
      cell: ({ reason: why, answer_log_id: recordId }) => (
        <>
          {t(`unattachedReasons.${why}`)}
          {recordId !== null && (
            <Text size="xs">
              <Link to="/records/$recordId" params={{ recordId }} className="mono">
                {recordId}
              </Link>
            </Text>
          )}
        </>
      ),
    },
    {
      id: 'trace',
      title: t('otel.trace'),
      cell: ({ trace_id: trace, span_id: span, signal }) => (
        <>
          <TraceId traceId={trace} spanId={span} /> <span className="muted">{signal}</span>
        </>
      ),
      isMinor: true,
    },
    { id: 'received', title: t('otel.received'), cell: ({ received_at: at }) => <Time at={at} />, isMinor: true },
  ];
  return (
    <LeftOutList
      view="unattached"
      caption={t('otelViews.unattached')}
      columns={columns}
      query={list}
      cursor={cursor}
      empty={<EmptyState title={t('otel.noneUnattached')}>{t('otel.noneUnattachedText')}</EmptyState>}
      filters={filters}
      reasons={UNATTACHED_REASONS.map((value) => ({ value, label: t(`unattachedReasons.${value}`) }))}
    />
  );
}
