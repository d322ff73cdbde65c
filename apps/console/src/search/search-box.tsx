import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, lazy, Suspense, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Browsed, useBrowsed } from '../components/use-browsed.ts';
import { useSession } from '../session/session-context.tsx';
import classes from './search-box.module.css';
import { listOptions, type SearchOption } from './search-options.ts';
import { useSearch } from './use-search.ts';
import { useSearchKeys } from './use-search-keys.ts';
import { useSearchSession } from './use-search-session.ts';

// What is below the field is loaded with its first use.
const SearchHelp = lazy(async () => ({ default: (await import('./search-help.tsx')).SearchHelp }));
const SearchFound = lazy(async () => ({ default: (await import('./search-found.tsx')).SearchFound }));
// Nobody begins with a reason: what asks for it is loaded with the first.
const ReadingReasonDialog = lazy(async () => ({
  default: (await import('../components/reading-reason-dialog.tsx')).ReadingReasonDialog,
}));
const LIST_ID = 'search-results';
const NO_TEXTS: Browsed = new Map();

/** One field for whatever somebody knows of an answer. `/` and Ctrl-K lead to it, arrows and Enter through its results. */
export function SearchBox() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { may } = useSession();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const [active, setActive] = useState(0);
  // The text whose results are read as well; another text is another reading.
  const [read, setRead] = useState<string>();
  const searching = useSearchSession();
  const { result, error, isBusy } = useSearch(text, searching.open?.id);
  useSearchKeys(field);
  const isRead = read === text && searching.open !== undefined;
  const browsed = useBrowsed(
    isRead ? searching.open.reason : null,
    isRead ? (result?.items ?? []).map(({ id }) => id) : [],
  );
  const options = listOptions(result, isRead, may('texts.read'));
  const at = Math.min(active, options.length - 1);
  const isTyped = text.trim() !== '';
  const isShown = isOpen && isTyped;

  function open(option: SearchOption): void {
    if (option.kind === 'reason') return setAsking(true);
    if (option.kind === 'texts') return setRead(text);
    setOpen(false);
    setText('');
    field.current?.blur();
    if (option.kind === 'record') void navigate({ to: '/records/$recordId', params: { recordId: option.record.id } });
    else void navigate({ to: '/records', search: option.search });
  }

  function press(event: KeyboardEvent<HTMLInputElement>): void {
    const chosen = options[at];
    if (event.key === 'ArrowDown') setActive(Math.min(at + 1, options.length - 1));
    else if (event.key === 'ArrowUp') setActive(Math.max(at - 1, 0));
    else if (event.key === 'Enter' && isShown && chosen !== undefined) open(chosen);
    else if (event.key === 'Escape') {
      if (isOpen) setOpen(false);
      else field.current?.blur();
    } else return;
    event.preventDefault();
  }

  return (
    <search
      className={classes['search']}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false);
      }}
    >
      <input
        ref={field}
        className={classes['field']}
        type="text"
        role="combobox"
        aria-label={t('search.label')}
        aria-expanded={isShown}
        aria-controls={LIST_ID}
        aria-autocomplete="list"
        aria-keyshortcuts="/ Control+K"
        aria-activedescendant={isShown && at >= 0 ? `${LIST_ID}-${at}` : undefined}
        placeholder={t('search.placeholder')}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onFocus={() => setOpen(true)}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setActive(0);
          setOpen(true);
        }}
        onKeyDown={press}
      />
      <kbd className={classes['key']} aria-hidden="true">
        /
      </kbd>
      {isOpen && (
        <div className={classes['results']}>
          <Suspense>
            {isTyped ? (
              <SearchFound
                id={LIST_ID}
                result={result}
                error={error ?? browsed.error}
                options={options}
                texts={browsed.data ?? NO_TEXTS}
                active={at}
                isBusy={isBusy}
                onOpen={open}
                onPoint={setActive}
              />
            ) : (
              <SearchHelp />
            )}
          </Suspense>
        </div>
      )}
      {isAsking && (
        <Suspense>
          <ReadingReasonDialog
            title={t('search.words.title')}
            consequence={t('search.words.consequence')}
            action={t('search.words.action')}
            onConfirm={searching.begin}
            onClose={() => {
              setAsking(false);
              field.current?.focus();
            }}
          />
        </Suspense>
      )}
    </search>
  );
}
