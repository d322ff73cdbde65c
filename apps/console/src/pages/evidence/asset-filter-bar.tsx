import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { evidenceKind, evidenceState } from '@answer-evidence/contracts';
import type { SearchTexts } from '../../shell/search.ts';
import { ASSET_FILTER_NAMES, ASSET_KEYS } from './asset-filters.ts';
import classes from './evidence.module.css';

type Props = { readonly search: SearchTexts; readonly onChange: (next: Record<string, string>) => void };

/** What narrows the list of assets. Nothing is sent before Search, and the result is in the address. */
export function AssetFilterBar({ search, onChange }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [values, setValues] = useState<SearchTexts>(search);
  const [searchBy, setSearchBy] = useState<(typeof ASSET_KEYS)[number]>(
    ASSET_KEYS.find((name) => search[name] !== undefined) ?? 'content_hash',
  );
  const set = (name: string, value: string) => setValues({ ...values, [name]: value });

  function submit(event: FormEvent): void {
    event.preventDefault();
    const assetId = values['asset_id']?.trim() ?? '';
    if (searchBy === 'asset_id' && assetId !== '') void navigate({ to: '/evidence/$assetId', params: { assetId } });
    else
      onChange(
        Object.fromEntries(
          ASSET_FILTER_NAMES.flatMap((name) => {
            const value = values[name]?.trim() ?? '';
            return value === '' ? [] : [[name, value]];
          }),
        ),
      );
  }

  function chooseKey(next: string): void {
    const found = ASSET_KEYS.find((name) => name === next);
    if (found === undefined || found === searchBy) return;
    const { [searchBy]: moved, ...others } = values;
    setSearchBy(found);
    setValues(moved === undefined ? others : { ...others, [found]: moved });
  }

  const text = (name: string, label: string) => (
    <TextInput
      label={label}
      value={values[name] ?? ''}
      onChange={(event) => set(name, event.currentTarget.value)}
      spellCheck={false}
    />
  );
  const choice = (name: string, label: string, options: readonly { value: string; label: string }[]) => (
    <NativeSelect
      label={label}
      value={values[name] ?? ''}
      onChange={(event) => set(name, event.currentTarget.value)}
      data={[{ value: '', label: t('records.anyStatus') }, ...options]}
    />
  );
  return (
    <search>
      <form className={classes['filters']} onSubmit={submit}>
        <NativeSelect
          label={t('records.searchBy')}
          value={searchBy}
          onChange={(event) => chooseKey(event.currentTarget.value)}
          data={ASSET_KEYS.map((name) => ({ value: name, label: t(`assetKeys.${name}`) }))}
        />
        <TextInput
          className={classes['wide'] ?? ''}
          label={t('records.searchFor')}
          placeholder={t('evidence.searchHint')}
          value={values[searchBy] ?? ''}
          onChange={(event) => set(searchBy, event.currentTarget.value)}
          spellCheck={false}
        />
        {choice(
          'kind',
          t('evidence.kind'),
          evidenceKind.options.map((value) => ({ value, label: t(`assetKinds.${value}`) })),
        )}
        {choice(
          'state',
          t('records.status'),
          evidenceState.options.map((value) => ({ value, label: t(`assetStates.${value}`) })),
        )}
        {text('application_key', t('records.application'))}
        {text('content_type', t('evidence.contentType'))}
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
