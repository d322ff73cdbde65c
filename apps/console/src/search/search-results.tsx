import { useTranslation } from 'react-i18next';
import type { BrowsedText } from '@answer-evidence/contracts';
import { PlainText } from '../components/plain-text.tsx';
import { StatusChip } from '../components/status-chip.tsx';
import { Time } from '../components/time.tsx';
import classes from './search-box.module.css';
import type { SearchOption } from './search-options.ts';

type Props = {
  readonly id: string;
  readonly options: readonly SearchOption[];
  /** How the texts of records begin, as far as they were read. */
  readonly texts: ReadonlyMap<string, BrowsedText>;
  /** Which option Enter chooses. */
  readonly active: number;
  readonly isBusy: boolean;
  readonly onOpen: (option: SearchOption) => void;
  readonly onPoint: (at: number) => void;
};

/** What a search found, to choose from. */
export function SearchResults({ id, options, texts, active, isBusy, onOpen, onPoint }: Props) {
  const { t } = useTranslation();
  return (
    <ul id={id} role="listbox" aria-label={t('search.results')} aria-busy={isBusy}>
      {options.map((option, at) => (
        <li
          key={option.kind === 'record' ? option.record.id : `${option.kind} ${at}`}
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
          <Option option={option} texts={texts} />
        </li>
      ))}
    </ul>
  );
}

function Option({ option, texts }: { readonly option: SearchOption } & Pick<Props, 'texts'>) {
  const { t } = useTranslation();
  switch (option.kind) {
    case 'reason':
      return (
        <span className={classes['act']}>
          {t('search.words.search')} <PlainText text={option.words} />
          <span className="muted">{t('search.words.searchHint')}</span>
        </span>
      );
    case 'texts':
      return (
        <span className={classes['act']}>
          {t('search.words.show', { count: option.count })}
          <span className="muted">{t('search.words.showHint')}</span>
        </span>
      );
    case 'list': {
      const { total, total_relation: relation, means } = option.reading;
      const meaning = means.map((one) => t(`search.meanings.${one}`, { defaultValue: one })).join(' + ');
      return <span>{t(relation === 'gte' ? 'search.allAtLeast' : 'search.all', { count: total, meaning })}</span>;
    }
    case 'record':
      return <Found record={option.record} texts={texts.get(option.record.id)} />;
  }
}

function Found({
  record,
  texts,
}: {
  readonly record: RecordOf<SearchOption>;
  readonly texts: BrowsedText | undefined;
}) {
  const { created_at: at, application_key: application, environment, status, external_message_id: message } = record;
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
      {texts !== undefined && (
        <span className={classes['texts']}>
          <Beginning part={texts.question} />
          <span className="muted">
            <Beginning part={texts.answer} />
          </span>
        </span>
      )}
    </>
  );
}

type RecordOf<Option> = Option extends { readonly kind: 'record'; readonly record: infer Found } ? Found : never;

function Beginning({ part }: { readonly part: BrowsedText['question'] }) {
  const { t } = useTranslation();
  if (part.text === null) return <span className="muted">{t(`textStates.${part.text_state}`)}</span>;
  return (
    <span className={classes['beginning']}>
      <PlainText text={part.text} />
    </span>
  );
}
