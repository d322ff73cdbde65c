import { Button, Group, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionError } from '../../components/action-error.tsx';
import { useAction } from '../../components/use-action.ts';

type Props = { readonly onConfirm: (code: string) => Promise<void> };

/** Takes the code that was mailed to an address. */
export function CodeForm({ onConfirm }: Props) {
  const { t } = useTranslation();
  const [code, setCode] = useState('');
  const { isBusy, error, run } = useAction();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(() => onConfirm(code.trim()));
  };
  return (
    <form onSubmit={submit}>
      <Group align="end">
        <TextInput
          label={t('mailTerms.code')}
          description={t('mailTerms.codeHint')}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          required
          spellCheck={false}
          autoComplete="one-time-code"
          data-autofocus
        />
        <Button type="submit" loading={isBusy} disabled={code.trim() === ''}>
          {t('mailTerms.confirm')}
        </Button>
      </Group>
      <ActionError error={error} />
    </form>
  );
}
