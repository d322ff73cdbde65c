import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RECORD_STATUSES } from '@answer-evidence/contracts';
import type { SearchTexts } from '../../shell/search.ts';
import { FILTER_NAMES, findRecordId, REVIEW_KEYS } from './filters.ts';
import classes from './records.module.css';

type Props = { readonly search: SearchTexts; readonly onChange: (next: Record<string, string>) => void };

/** What narrows the list. Nothing is sent before Search, and the result is in the address. */
export function RecordFilterBar({ search, onChange }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [values, setValues] = useState<SearchTexts>(search);
  const given = REVIEW_KEYS.find((name) => search[name] !== undefined);
  const [searchBy, setSearchBy] = useState<(typeof REVIEW_KEYS)[number]>(given ?? 'external_message_id');
  const set = (name: string, value: string) => setValues({ ...values, [name]: value });
  const text = values[searchBy] ?? '';

  function submit(event: FormEvent): void {
    event.preventDefault();
    const recordId = findRecordId(text);
    if (searchBy === 'external_message_id' && recordId !== undefined)
      void navigate({ to: '/records/$recordId', params: { recordId } });
    else
      onChange(
        Object.fromEntries(
          FILTER_NAMES.flatMap((name) => {
            const value = values[name]?.trim() ?? '';
            return value === '' ? [] : [[name, value]];
          }),
        ),
      );
  }

  function chooseKey(next: string): void {
    const found = REVIEW_KEYS.find((name) => name === next);
    if (found === undefined || found === searchBy) return;
    const { [searchBy]: moved, ...others } = values;
    setSearchBy(found);
    setValues(moved === undefined ? others : { ...others, [found]: moved });
  }

  return (
    <search>
      <form className={classes['filters']} onSubmit={submit}>
        <NativeSelect
          label={t('records.searchBy')}
          value={searchBy}
          onChange={(event) => chooseKey(event.currentTarget.value)}
          data={REVIEW_KEYS.map((name) => ({ value: name, label: t(`keys.${name}`) }))}
        />
        <TextInput
          className={classes['wide'] ?? ''}
          label={t('records.searchFor')}
          placeholder={t('records.searchHint')}
          value={text}
          onChange={(event) => set(searchBy, event.currentTarget.value)}
          spellCheck={false}
        />
        <NativeSelect
          label={t('records.status')}
          value={values['status'] ?? ''}
          onChange={(event) => set('status', event.currentTarget.value)}
          data={[
            { value: '', label: t('records.anyStatus') },
            ...RECORD_STATUSES.map((status) => ({ value: status, label: t(`status.${status}`) })),
          ]}
        />
        <TextInput
          label={t('records.application')}
          value={values['application_key'] ?? ''}
          onChange={(event) => set('application_key', event.currentTarget.value)}
          spellCheck={false}
        />
        <TextInput
          label={t('records.environment')}
          value={values['environment'] ?? ''}
          onChange={(event) => set('environment', event.currentTarget.value)}
          spellCheck={false}
        />
        <TextInput
          type="date"
          label={t('records.from')}
          value={values['created_after'] ?? ''}
          onChange={(event) => set('created_after', event.currentTarget.value)}
        />
        <TextInput
          type="date"
          label={t('records.to')}
          value={values['created_before'] ?? ''}
          onChange={(event) => set('created_before', event.currentTarget.value)}
        />
        <Button type="submit">{t('records.search')}</Button>
        <Button variant="default" disabled={Object.keys(search).length === 0} onClick={() => onChange({})}>
          {t('records.clear')}
        </Button>
      </form>
    </search>
  );
}
