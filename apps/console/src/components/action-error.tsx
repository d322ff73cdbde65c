import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { describeError } from './error-state.tsx';

/** Why an action failed, beside the form that it belongs to; nothing where it did not. */
export function ActionError({ error }: { readonly error: unknown }) {
  const { t } = useTranslation();
  if (error === null) return null;
  return (
    <Alert color="red" role="alert" title={t('errors.title')} className="wrapped">
      {describeError(error, t)}
    </Alert>
  );
}
