import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type Approval,
  type RequestedAct,
  type RequestedExport,
  requestedExport,
  requestedPack,
} from '@answer-evidence/contracts';
import { PlainText } from '../../components/plain-text.tsx';
import { RecordLink } from '../../components/record-link.tsx';
import { Time } from '../../components/time.tsx';
import { useWorkspaceQuery } from '../../session/workspace-query.ts';

/** An export or a pack that somebody asks for. */
export type AskedExport = Pick<RequestedAct, 'export' | 'pack'>;

/** Most records of one export. */
const RECORDS_MAX = 200;

/** What a request asks for, where that is an export or a pack of a form that is known here. */
export function readAskedExport(request: Approval['request'] | RequestedAct): AskedExport | undefined {
  const asked = requestedExport.safeParse(request?.['export']);
  if (asked.success) return { export: asked.data };
  const pack = requestedPack.safeParse(request?.['pack']);
  return pack.success ? { pack: pack.data } : undefined;
}

/** What would leave, in words. */
export function ExportInWords({ asked }: { readonly asked: AskedExport }) {
  if (asked.export !== undefined) return <WindowInWords asked={asked.export} />;
  return asked.pack === undefined ? null : <PackInWords pack={asked.pack} />;
}

function WindowInWords({ asked }: { readonly asked: RequestedExport }) {
  const { t } = useTranslation();
  const { format, application_key: application, environment, created_after: from, created_before: to } = asked;
  return (
    <Rows
      rows={[
        [t('askedExports.file'), t(`askedExports.files.${format}`)],
        [t('askedExports.records'), asked.records ?? <Matching asked={asked} />],
        [t('records.filters.application_key'), named(application, t('askedExports.any'))],
        [t('records.filters.environment'), named(environment, t('askedExports.any'))],
        [t('askedExports.after'), from === undefined ? t('askedExports.beginning') : <Time at={from} />],
        [t('askedExports.before'), to === undefined ? t('askedExports.request') : <Time at={to} />],
      ]}
    />
  );
}

/** How many match before anybody was asked; the request then has the number. */
function Matching({ asked: { format: _, records: __, ...filters } }: { readonly asked: RequestedExport }) {
  const { t } = useTranslation();
  const found = useWorkspaceQuery(['matching', filters], (client) => client.records.list(filters, { size: 1 }));
  if (found.data === undefined) return '…';
  const { total: count, total_relation: relation } = found.data;
  const words = t(relation === 'gte' ? 'records.totalAtLeast' : 'records.total', { count });
  return count > RECORDS_MAX ? `${words} ${t('askedExports.oldest', { count: RECORDS_MAX })}` : words;
}

function PackInWords({ pack }: { readonly pack: NonNullable<AskedExport['pack']> }) {
  const { t } = useTranslation();
  const { answer_log_ids: ids, texts, recipient, purpose, proof_links: links } = pack;
  return (
    <>
      <Rows
        rows={[
          [t('askedExports.file'), t(`askedExports.files.${texts === 'withheld' ? 'withheld' : 'pack'}`)],
          [t('askedExports.records'), ids.length],
          ...(recipient === undefined ? [] : [[t('pack.recipient'), <PlainText text={recipient} />] as const]),
          ...(purpose === undefined ? [] : [[t('pack.purpose'), <PlainText text={purpose} />] as const]),
          [t('askedExports.links'), t(links === undefined ? 'common.no' : 'common.yes')],
        ]}
      />
      <details>
        <summary>{t('askedExports.ids')}</summary>
        {ids.map((id) => (
          <Text key={id} size="xs" component="div">
            <RecordLink id={id} />
          </Text>
        ))}
      </details>
    </>
  );
}

function named(value: string | undefined, otherwise: string): ReactNode {
  return value === undefined ? otherwise : <PlainText text={value} />;
}

function Rows({ rows }: { readonly rows: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <Text size="sm" component="div" className="wrapped">
      {rows.map(([label, value]) => (
        <div key={label}>
          {label}: {value}
        </div>
      ))}
    </Text>
  );
}
