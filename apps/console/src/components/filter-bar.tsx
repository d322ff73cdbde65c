import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, Fragment, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SearchTexts } from '../shell/search.ts';
import classes from './filter-bar.module.css';
import { listOf, Offered } from './offered.tsx';
import { nameControls } from './split-controls.ts';

const DAYS = ['created_after', 'created_before'];

type Option = { readonly value: string; readonly label: string };
/** A filter of its own: one of the options where it has some, a day, or a text, for which values may be offered. */
type Field = {
  readonly name: string;
  readonly label: string;
  readonly options?: readonly Option[];
  readonly isDay?: boolean;
  readonly offered?: readonly string[];
};

type Props = {
  readonly search: SearchTexts;
  /** Filters of which one is searched by at a time; the first is offered where the address has none. */
  readonly keys?: readonly Option[];
  readonly hint?: string;
  readonly fields: readonly Field[];
  /** Whether it has days of creation. */
  readonly hasDays?: boolean;
  /** Follows a text that leads to a page of its own, and says whether it was one. */
  readonly onFollow?: (key: string, text: string) => boolean;
  readonly onChange: (next: Record<string, string>) => void;
};

/** What narrows a list. Nothing is sent before Search, and the result is in the address. */
export function FilterBar({ search, keys = [], hint, fields, hasDays = false, onFollow, onChange }: Props) {
  const { t } = useTranslation();
  const [values, setValues] = useState<SearchTexts>(search);
  const [searchBy, setSearchBy] = useState((keys.find(({ value }) => search[value] !== undefined) ?? keys[0])?.value);
  // Only a narrow screen folds them away.
  const [isOpen, setOpen] = useState(Object.keys(search).length > 0);
  const id = useId();
  const bind = (name: string) => ({
    value: values[name] ?? '',
    onChange: ({ currentTarget: { value } }: { readonly currentTarget: { readonly value: string } }) =>
      setValues({ ...values, [name]: value }),
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    const next: Record<string, string> = {};
    for (const name of [...keys.map(({ value }) => value), ...fields.map((field) => field.name), ...DAYS]) {
      const value = values[name]?.trim() ?? '';
      if (value !== '') next[name] = value;
    }
    const text = searchBy === undefined ? '' : (values[searchBy]?.trim() ?? '');
    if (searchBy === undefined || text === '' || onFollow?.(searchBy, text) !== true) onChange(next);
  }

  function chooseKey(next: string): void {
    if (searchBy === undefined || next === searchBy) return;
    const { [searchBy]: moved, ...others } = values;
    setSearchBy(next);
    setValues(moved === undefined ? others : { ...others, [next]: moved });
  }

  return (
    <search>
      <Button
        variant="default"
        className={classes['toggle']}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {t('records.showFilters')}
      </Button>
      <form id={id} className={classes['filters']} data-open={isOpen} onSubmit={submit}>
        {searchBy !== undefined && (
          <>
            <NativeSelect
              label={t('records.searchBy')}
              value={searchBy}
              onChange={(event) => chooseKey(event.currentTarget.value)}
              data={[...keys]}
            />
            <TextInput
              className={classes['wide'] ?? ''}
              label={t('records.searchFor')}
              placeholder={hint}
              spellCheck={false}
              {...bind(searchBy)}
            />
          </>
        )}
        {fields.map(({ name, label, options, isDay = false, offered = [] }) =>
          options === undefined ? (
            <Fragment key={name}>
              <TextInput
                type={isDay ? 'date' : 'text'}
                label={label}
                spellCheck={false}
                {...listOf(`offered-${name}`, offered)}
                {...bind(name)}
              />
              <Offered id={`offered-${name}`} values={offered} />
            </Fragment>
          ) : (
            <NativeSelect
              key={name}
              label={label}
              data={[
                { value: '', label: t('records.anyStatus') },
                ...options.map((one) => ({ ...one, label: nameControls(one.label) })),
              ]}
              {...bind(name)}
            />
          ),
        )}
        {hasDays && (
          <>
            <TextInput type="date" label={t('records.from')} {...bind('created_after')} />
            <TextInput type="date" label={t('records.to')} {...bind('created_before')} />
          </>
        )}
        <div className={classes['buttons']}>
          <Button type="submit" variant="light">
            {t('records.search')}
          </Button>
          {Object.keys(search).length > 0 && (
            <Button variant="subtle" onClick={() => onChange({})}>
              {t('records.clear')}
            </Button>
          )}
        </div>
      </form>
    </search>
  );
}
