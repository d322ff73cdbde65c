import { Button, Group, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SERVICE_URL } from '../../api/place.ts';
import { ActionError } from '../../components/action-error.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { useAction } from '../../components/use-action.ts';
import { useSession } from '../../session/session-context.tsx';
import { useReload } from '../../session/workspace-query.ts';
import { FirstRecord } from './first-record.tsx';
import { formatVariables, SNIPPET_NAMES, SNIPPETS } from './snippets.ts';

const LIFE_SECONDS = 30 * 86_400;

/** A token that was made here, for which application, and when. */
type Issued = { readonly token: string; readonly application: string; readonly at: string };

/** From an empty workspace to the first record: a token, a few lines, and the record as it arrives. */
export function StartPage() {
  const { t } = useTranslation();
  const { client, may } = useSession();
  const reload = useReload();
  const [application, setApplication] = useState('support-bot');
  const [issued, setIssued] = useState<Issued | null>(null);
  const [language, setLanguage] = useState(SNIPPET_NAMES[0] ?? 'node');
  const { isBusy, error, run } = useAction();

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const key = application.trim();
    await run(async () => {
      const made = await client.tokens.create({
        kind: 'application',
        name: `${key} ${new Date().toISOString().slice(0, 16)}`,
        application_key: key,
        // What reads texts is for those to give who may.
        scopes: may('tokens.texts') ? ['answer_audit:create', 'answer_audit:read'] : ['answer_audit:create'],
        expires_in_seconds: LIFE_SECONDS,
      });
      setIssued({ token: made.token, application: key, at: made.created_at });
      await reload('tokens');
    });
  }

  return (
    <>
      <PageHead title={t('start.title')} />
      <ol className="steps">
        <li>
          <Title order={2} size="h4">
            {t('start.token')}
          </Title>
          {issued === null ? (
            <form onSubmit={(event) => void submit(event)}>
              <Stack>
                <Text>{t('start.tokenText')}</Text>
                <Group align="end">
                  <TextInput
                    label={t('start.application')}
                    value={application}
                    onChange={(event) => setApplication(event.currentTarget.value)}
                    spellCheck={false}
                    required
                  />
                  <Button type="submit" loading={isBusy} disabled={application.trim() === ''}>
                    {t('start.create')}
                  </Button>
                </Group>
                <ActionError error={error} />
              </Stack>
            </form>
          ) : (
            <SecretOnce label={t('start.variables')} secret={formatVariables(SERVICE_URL, issued.token)} />
          )}
        </li>
        <li>
          <Title order={2} size="h4">
            {t('start.lines')}
          </Title>
          <Stack>
            <NativeSelect
              label={t('start.language')}
              value={language}
              onChange={(event) =>
                setLanguage(SNIPPET_NAMES.find((name) => name === event.currentTarget.value) ?? language)
              }
              data={SNIPPET_NAMES.map((value) => ({ value, label: t(`snippets.${value}`) }))}
            />
            {SNIPPETS[language].install !== null && (
              <div>
                <Text size="sm" mb={4}>
                  {t('start.install')}
                </Text>
                <CodeBlock label={t('start.install')}>{SNIPPETS[language].install}</CodeBlock>
              </div>
            )}
            <div>
              <Text size="sm" mb={4}>
                {t('start.linesLabel')}
              </Text>
              <CodeBlock label={t('start.linesLabel')}>
                {SNIPPETS[language].lines(issued?.application ?? application)}
              </CodeBlock>
            </div>
          </Stack>
        </li>
        <li>
          <Title order={2} size="h4">
            {t('start.arrives')}
          </Title>
          {!may('records.read') ? (
            <Text>
              {t('start.elsewhere')} <Link to="/tokens">{t('navigation.tokens')}</Link>
            </Text>
          ) : issued === null ? (
            <Text c="dimmed">{t('start.later')}</Text>
          ) : (
            <FirstRecord application={issued.application} after={issued.at} />
          )}
        </li>
      </ol>
    </>
  );
}
