import { Button, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hasProvider, providerAddress, readSession, type Session } from '../api/session.ts';

type Props = {
  /** Where the page behind must stay as it is: its tab notices the new session when the reader comes back to it. */
  readonly inNewTab: boolean;
  readonly onSession: (session: Session) => void;
};

/** Leads to the OpenID provider; nothing where none is configured. */
export function ProviderButton({ inNewTab, onSession }: Props) {
  const { t } = useTranslation();
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    // Without an answer, a password still works.
    hasProvider().then(setShown, () => undefined);
  }, []);
  useEffect(() => {
    if (!isShown || !inNewTab) return undefined;
    const ask = () => {
      readSession().then(
        (session) => session !== null && onSession(session),
        () => undefined,
      );
    };
    addEventListener('focus', ask);
    return () => removeEventListener('focus', ask);
  }, [isShown, inNewTab, onSession]);

  if (!isShown) return null;
  const tab = inNewTab ? { target: '_blank', rel: 'noopener' } : {};
  return (
    <>
      <Button component="a" href={providerAddress()} variant="default" {...tab}>
        {t('session.provider')}
      </Button>
      {inNewTab && (
        <Text size="sm" c="dimmed">
          {t('session.providerTab')}
        </Text>
      )}
    </>
  );
}
