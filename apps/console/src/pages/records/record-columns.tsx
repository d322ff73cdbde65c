import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import type { MarkedRecord } from '@answer-evidence/contracts';
import type { Column } from '../../components/data-table.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { StatusChip } from '../../components/status-chip.tsx';
import type { Browsed } from '../../components/use-browsed.ts';
import { BrowsedTexts } from './browsed.tsx';
import { formatDay } from './format-day.ts';
import { RecordMarks } from './record-marks.tsx';
import classes from './records.module.css';

/** How many characters of the hash of a person tell them apart in a list. */
const PERSON_LENGTH = 8;

/** The day of a record in UTC, as a list separates days. */
export function nameDay(at: string, language: string): string {
  return formatDay(at.slice(0, 10), language);
}

/** What a list shows of a record: with texts where somebody browses with them, and less beside a panel. */
export function listColumns(
  t: TFunction,
  browsed: Browsed | undefined,
  isBesidePanel: boolean,
): readonly Column<MarkedRecord>[] {
  return [
    {
      id: 'created_at',
      title: t('records.created'),
      cell: ({ record, answered_at: answeredAt }) => (
        <>
          <Link to="/records/$recordId" params={{ recordId: record.id }}>
            <RelativeTime at={record.created_at} />
          </Link>
          {answeredAt !== null && (
            <div className="muted">{t('records.claimed', { day: answeredAt.slice(0, 16).replace('T', ' ') })}</div>
          )}
        </>
      ),
    },
    {
      id: 'status',
      title: t('records.status'),
      cell: (marked) => (
        <span className={classes['state']}>
          <StatusChip status={marked.record.status} />
          <RecordMarks marked={marked} />
        </span>
      ),
    },
    ...(browsed === undefined
      ? []
      : [
          {
            id: 'texts',
            title: t('texts.title'),
            cell: ({ record }: MarkedRecord) => <BrowsedTexts texts={browsed.get(record.id)} />,
          },
        ]),
    {
      id: 'application',
      title: t('records.application'),
      cell: ({ record }) => (
        <div className={classes['application']}>
          <PlainText text={record.application_key} />
          <div className="muted">
            <PlainText text={record.environment} />
          </div>
        </div>
      ),
    },
    // Beside texts there is no room for the longest of them, and no need.
    ...(isBesidePanel ? [] : identifyingColumns(t).filter(({ id }) => browsed === undefined || id !== 'message')),
  ];
}

function identifyingColumns(t: TFunction): readonly Column<MarkedRecord>[] {
  return [
    {
      id: 'person',
      title: t('records.person'),
      cell: ({ record }) => (
        <span className={classes['person']} title={record.actor_id_hash ?? undefined}>
          <PlainText text={shortenPerson(record.actor_id_hash)} />
        </span>
      ),
    },
    {
      id: 'sources',
      title: t('records.sources'),
      cell: ({ record }) => record.source_refs.length + record.evidence_access_event_ids.length,
      isMinor: true,
    },
    {
      id: 'message',
      title: t('keys.external_message_id'),
      cell: ({ record }) => (
        <span className="mono">
          <PlainText text={record.external_message_id ?? '–'} />
        </span>
      ),
      isMinor: true,
    },
  ];
}

/** The end of what names a person: of a hash, the beginning says how it was made. */
function shortenPerson(hash: string | null): string {
  if (hash === null) return '–';
  return hash.length <= PERSON_LENGTH ? hash : `…${hash.slice(-PERSON_LENGTH)}`;
}
