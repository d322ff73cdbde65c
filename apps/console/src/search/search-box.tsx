import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './search-box.module.css';
import { listOptions, type SearchOption } from './search-options.ts';
import { SearchResults } from './search-results.tsx';
import { useSearch } from './use-search.ts';
import { useSearchKeys } from './use-search-keys.ts';

const LIST_ID = 'search-results';

/** One field for whatever somebody knows of an answer. `/` and Ctrl-K lead to it, arrows and Enter through its results. */
export function SearchBox() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const { result, error, isBusy } = useSearch(text);
  useSearchKeys(field);
  const options = listOptions(result);
  const at = Math.min(active, options.length - 1);
  const isShown = isOpen && text.trim() !== '';

  function open(option: SearchOption): void {
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
      if (isShown) setOpen(false);
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
      {isShown && (
        <SearchResults
          id={LIST_ID}
          result={result}
          options={options}
          active={at}
          isBusy={isBusy}
          error={error}
          onOpen={open}
          onPoint={setActive}
        />
      )}
    </search>
  );
}
