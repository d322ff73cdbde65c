import { useTranslation } from 'react-i18next';
import type { SearchReading, SearchResult } from '@answer-evidence/contracts';
import { PlainText } from '../components/plain-text.tsx';
import { StatusChip } from '../components/status-chip.tsx';
import { Time } from '../components/time.tsx';
import classes from './search-box.module.css';
import type { SearchOption } from './search-options.ts';

type Props = {
  readonly id: string;
  readonly result: SearchResult | undefined;
  readonly options: readonly SearchOption[];
  /** Which option Enter opens. */
  readonly active: number;
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly onOpen: (option: SearchOption) => void;
  readonly onPoint: (at: number) => void;
};

/** What a search found, how the text was understood, and what is wrong where there is nothing. */
export function SearchResults({ id, result, options, active, isBusy, error, onOpen, onPoint }: Props) {
  const { t } = useTranslation();
  return (
    <div className={classes['results']}>
      <p className={classes['said']} role="status">
        <Said result={result} isBusy={isBusy} error={error} />
      </p>
      <ul id={id} role="listbox" aria-label={t('search.results')} aria-busy={isBusy}>
        {options.map((option, at) => (
          <li
            key={option.kind === 'record' ? option.record.id : `list ${at}`}
            id={`${id}-${at}`}
            role="option"
            aria-selected={at === active}
            ref={(element) => {
              if (at === active) element?.scrollIntoView({ block: 'nearest' });
            }}
            onMouseMove={() => onPoint(at)}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onOpen(option)}
          >
            <Option option={option} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Said({ result, isBusy, error }: Pick<Props, 'result' | 'isBusy' | 'error'>) {
  const { t } = useTranslation();
  if (isBusy) return t('search.busy');
  if (error !== null && error !== undefined) return error instanceof Error ? <PlainText text={error.message} /> : null;
  if (result === undefined) return null;
  const found = result.understood.filter(({ total }) => total > 0);
  return (
    <>
      {found.length === 0
        ? t('search.nothing')
        : t('search.understood', { meanings: found.map((reading) => describe(reading)).join('; ') })}
      {result.not_understood !== null && (
        <>
          {' '}
          {t('search.notUnderstood')} <PlainText text={result.not_understood} />
        </>
      )}
    </>
  );

  function describe({ means, total, total_relation: relation }: SearchReading): string {
    const meaning = means.map((one) => t(`search.meanings.${one}`, { defaultValue: one })).join(' + ');
    return `${meaning} (${relation === 'gte' ? '≥ ' : ''}${total})`;
  }
}

function Option({ option }: { readonly option: SearchOption }) {
  const { t } = useTranslation();
  if (option.kind === 'list') {
    const { total, total_relation: relation, means } = option.reading;
    const meaning = means.map((one) => t(`search.meanings.${one}`, { defaultValue: one })).join(' + ');
    return <span>{t(relation === 'gte' ? 'search.allAtLeast' : 'search.all', { count: total, meaning })}</span>;
  }
  const {
    created_at: at,
    application_key: application,
    environment,
    status,
    external_message_id: message,
  } = option.record;
  return (
    <>
      <span className={classes['when']}>
        <Time at={at} />
      </span>
      <span className={classes['where']}>
        <PlainText text={application} />{' '}
        <span className="muted">
          <PlainText text={message ?? environment} />
        </span>
      </span>
      <StatusChip status={status} />
    </>
  );
}
