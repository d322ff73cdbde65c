import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './otel.module.css';

type Props = {
  readonly application: string;
  readonly reason: string;
  readonly reasons: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (next: { readonly application_key: string; readonly reason: string }) => void;
};

/** Narrows a list by application and reason. */
export function OtelFilterBar({ application, reason, reasons, onChange }: Props) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(application);
  const [chosen, setChosen] = useState(reason);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChange({ application_key: typed.trim(), reason: chosen });
  };
  return (
    <search>
      <form className={classes['bar']} onSubmit={submit}>
        <TextInput
          label={t('records.application')}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          spellCheck={false}
        />
        <NativeSelect
          label={t('otel.reason')}
          value={chosen}
          onChange={(event) => setChosen(event.currentTarget.value)}
          data={[{ value: '', label: t('records.anyStatus') }, ...reasons]}
        />
        <Button type="submit">{t('records.search')}</Button>
      </form>
    </search>
  );
}
