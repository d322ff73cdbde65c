import { Button, Group, Text, TextInput } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ComponentProps, type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IGNORED_REASONS, type TraceFateLine, traceId } from '@answer-evidence/contracts';
import { ActionError } from '../../components/action-error.tsx';
import { Chip } from '../../components/chip.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { Time } from '../../components/time.tsx';
import { useWorkspaceQuery } from '../../session/workspace-query.ts';

/** What is lost is red, what waits or needs a look is yellow. */
const COLORS: Readonly<Record<TraceFateLine['fate'], ComponentProps<typeof Chip>['color']>> = {
  ...{ record: 'green', attached: 'green', held: 'blue', waiting: 'blue' },
  ...{ unattached: 'yellow', refused: 'red', ignored: 'yellow', warned: 'yellow' },
};

/** What became of the items of one trace, which a person names. */
export function TraceFates() {
  const { t } = useTranslation();
  const { trace_id: asked = '' } = useSearch({ from: '/opentelemetry' });
  const navigate = useNavigate({ from: '/opentelemetry' });
  const [typed, setTyped] = useState(asked);
  const [isInvalid, setInvalid] = useState(false);
  const show = (event: FormEvent) => {
    event.preventDefault();
    const id = traceId.safeParse(typed.trim().toLowerCase());
    setInvalid(!id.success);
    if (id.success) void navigate({ search: { view: 'trace', trace_id: id.data } });
  };
  return (
    <>
      <form onSubmit={show}>
        <Group align="flex-start" mb="md">
          <TextInput
            label={t('otel.traceIdLabel')}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            error={isInvalid ? t('otel.traceInvalid') : undefined}
          />
          <Button type="submit" mt={25}>
            {t('otel.ask')}
          </Button>
        </Group>
      </form>
      {traceId.safeParse(asked).success && <Fates id={asked} />}
    </>
  );
}

function Fates({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  const { data, error } = useWorkspaceQuery(['otel', 'trace', id], (client) => client.otel.trace(id));
  if (error !== null) return <ActionError error={error} />;
  if (data === undefined) return null;
  const columns: readonly Column<TraceFateLine>[] = [
    {
      id: 'fate',
      title: t('otel.fate'),
      cell: ({ fate, detail, reason }) => (
        <>
          <Chip color={COLORS[fate]}>{t(`traceFates.${fate}`)}</Chip>
          <Text size="xs" c="dimmed">
            <Why reason={reason} detail={detail} />
          </Text>
        </>
      ),
    },
    {
      id: 'application',
      title: t('records.application'),
      cell: ({ application_key: key }) => <PlainText text={key} />,
    },
    {
      id: 'spans',
      title: t('otel.spans'),
      cell: ({ span_ids: spans }) => <span className="mono">{spans.length === 0 ? '–' : spans.join(' ')}</span>,
    },
    {
      id: 'record',
      title: t('otel.record'),
      cell: ({ answer_log_id: record }) =>
        record === null ? (
          '–'
        ) : (
          <Link to="/records/$recordId" params={{ recordId: record }} className="mono">
            {record}
          </Link>
        ),
    },
    { id: 'at', title: t('otel.last'), cell: ({ at }) => <Time at={at} />, isMinor: true },
  ];
  const keyOf = (line: TraceFateLine) => JSON.stringify(line);
  return (
    <>
      {data.lines.length === 0 ? (
        <Text fw={600}>{t('otel.noneTraced')}</Text>
      ) : (
        <DataTable caption={t('otelViews.trace')} columns={columns} rows={data.lines} keyOf={keyOf} />
      )}
      <Text mt="md">{t(`traceOthers.${data.others}`)}</Text>
    </>
  );
}

function Why({ reason, detail }: Pick<TraceFateLine, 'reason' | 'detail'>) {
  const { t } = useTranslation();
  if (detail !== null) return <PlainText text={detail} />;
  const known = IGNORED_REASONS.find((one) => one === reason);
  return known === undefined ? reason : t(`ignoredReasons.${known}`);
}
