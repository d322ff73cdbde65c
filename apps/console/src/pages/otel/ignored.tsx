import { Text } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { IGNORED_REASONS, type IgnoredItems } from '@answer-evidence/contracts';
import type { Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { Time } from '../../components/time.tsx';
import { useWorkspacePage } from '../../session/workspace-query.ts';
import { LeftOutList } from './left-out-list.tsx';
import { TraceId } from './trace-id.tsx';

const PAGE_SIZE = 50;

/** What was accepted and left no record: how often, why, and what to do about it. */
export function Ignored() {
  const { t } = useTranslation();
  const { application_key: application = '', reason: asked, cursor } = useSearch({ from: '/opentelemetry' });
  const reason = IGNORED_REASONS.find((one) => one === asked);
  const filters = {
    ...(application === '' ? {} : { application_key: application }),
    ...(reason === undefined ? {} : { reason }),
  };
  const list = useWorkspacePage(['otel', 'ignored', filters], cursor, (client, at) =>
    client.otel.ignored(filters, { size: PAGE_SIZE, ...at }),
  );
  const columns: readonly Column<IgnoredItems>[] = [
    {
      id: 'application',
      title: t('records.application'),
      cell: ({ application_key: key, scope_name: scope }) => (
        <>
          {key === '' ? t('otel.unnamed') : <PlainText text={key} />}
          <Text size="xs" c="dimmed">
            {scope === '' ? t('otel.noScope') : <PlainText text={scope} />}
          </Text>
        </>
      ),
    },
    { id: 'count', title: t('otel.items'), cell: ({ item_count: count }) => count },
    {
      id: 'reason',
      title: t('otel.reason'),
      cell: (line) => (
        <>
          {t(`ignoredReasons.${line.reason}`)}
          <Text size="xs" c="dimmed">
            {line.detail === null ? t(`ignoredAdvice.${line.reason}`) : <PlainText text={line.detail} />}
          </Text>
        </>
      ),
    },
    { id: 'last', title: t('otel.last'), cell: ({ last_seen_at: at }) => <Time at={at} />, isMinor: true },
    {
      id: 'trace',
      title: t('otel.lastTrace'),
      cell: ({ last_trace_id: trace, last_span_id: span, last_attribute_names: names }) => (
        <>
          <TraceId traceId={trace} spanId={span} />
          {names.length > 0 && (
            <details>
              <summary>{t('otel.attributes', { count: names.length })}</summary>
              <span className="mono">
                <PlainText text={names.join('\n')} />
              </span>
            </details>
          )}
        </>
      ),
      isMinor: true,
    },
  ];
  return (
    <LeftOutList
      view="ignored"
      caption={t('otelViews.ignored')}
      columns={columns}
      query={list}
      cursor={cursor}
      empty={<EmptyState title={t('otel.noneIgnored')}>{t('otel.noneIgnoredText')}</EmptyState>}
      filters={filters}
      reasons={IGNORED_REASONS.map((value) => ({ value, label: t(`ignoredReasons.${value}`) }))}
    />
  );
}
