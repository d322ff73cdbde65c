import { Button, Group, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { BrowsedText, MarkedRecord } from '@answer-evidence/contracts';
import { Label } from '../../components/copied.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { StatusChip } from '../../components/status-chip.tsx';
import { Time } from '../../components/time.tsx';
import { BrowsedTexts } from './browsed.tsx';
import { nameSource } from './name-source.ts';
import { RecordMarks } from './record-marks.tsx';
import classes from './records.module.css';

/** Sources that a panel names; the page of the record has all. */
const SOURCES_MAX = 8;

type Props = {
  readonly marked: MarkedRecord;
  /** Undefined while nobody browses with texts. */
  readonly texts: BrowsedText | undefined;
  readonly onClose: () => void;
};

/** A record beside the list, as far as a list knows it. */
export function RecordPanel({ marked, texts, onClose }: Props) {
  const { t } = useTranslation();
  const { record, answered_at: answeredAt } = marked;
  const facts = [
    [t('records.created'), <Time key="at" at={record.created_at} />],
    ...(answeredAt === null ? [] : [[t('records.answered'), <Time key="answered" at={answeredAt} />] as const]),
    ...(['external_message_id', 'external_trace_id', 'actor_id_hash', 'session_id_hash', 'mode'] as const).flatMap(
      (name) => (record[name] === null ? [] : [[t(`keys.${name}`), <Label key={name} text={record[name]} />] as const]),
    ),
  ] as const;
  return (
    <aside className={classes['panel']} aria-label={t('panel.title')}>
      <div className="page-head">
        <Title order={2} size="h4">
          <PlainText text={record.application_key} />
        </Title>
        <Button variant="default" size="compact-sm" onClick={onClose}>
          {t('common.close')}
        </Button>
      </div>
      <Group gap="xs" mb="sm">
        <StatusChip status={record.status} />
        <RecordMarks marked={marked} />
      </Group>
      {texts !== undefined && <BrowsedTexts texts={texts} />}
      <dl className={classes['facts']}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div>
          <dt>{t('sources.title')}</dt>
          <dd>
            {record.source_refs.length === 0 && '–'}
            {record.source_refs.slice(0, SOURCES_MAX).map((source, at) => (
              <div key={at}>
                <PlainText text={nameSource(source) ?? '–'} />
              </div>
            ))}
            {record.source_refs.length > SOURCES_MAX &&
              t('panel.more', { count: record.source_refs.length - SOURCES_MAX })}
          </dd>
        </div>
      </dl>
      <Link to="/records/$recordId" params={{ recordId: record.id }}>
        {t('panel.open')}
      </Link>
    </aside>
  );
}
