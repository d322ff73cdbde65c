import { Button, Paper, Text, Title } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Session } from '../api/session.ts';
import { Waiting } from '../components/waiting.tsx';
import { Brand } from '../shell/brand.tsx';
import { SignInForm } from './sign-in-form.tsx';
import classes from './sign-in-page.module.css';

// Few people have a link: the form is loaded when one says so.
const LinkForm = lazy(async () => ({ default: (await import('./link-form.tsx')).LinkForm }));

/** What everyone sees who is not signed in, at whatever address they came to. */
export function SignInPage({ onSession }: { readonly onSession: (session: Session) => void }) {
  const { t } = useTranslation();
  const [hasLink, setHasLink] = useState(false);
  return (
    <main className={classes['page']}>
      <Brand />
      <Paper withBorder className={classes['card']}>
        <Title order={1} size="h2">
          {t('session.title')}
        </Title>
        {hasLink ? (
          <Suspense fallback={<Waiting />}>
            <LinkForm onSession={onSession} onBack={() => setHasLink(false)} />
          </Suspense>
        ) : (
          <>
            <Text c="dimmed" size="sm" mb="md">
              {t('session.intro')}
            </Text>
            <SignInForm onSession={onSession} />
            <Button variant="subtle" fullWidth mt="xs" onClick={() => setHasLink(true)}>
              {t('session.withLink')}
            </Button>
          </>
        )}
      </Paper>
    </main>
  );
}
