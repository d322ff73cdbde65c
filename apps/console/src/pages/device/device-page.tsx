import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '@answer-evidence/client';
import type { ConsoleDeviceLogin } from '@answer-evidence/contracts';
import { ActionError } from '../../components/action-error.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { Time } from '../../components/time.tsx';
import { useAction } from '../../components/use-action.ts';
import { useSession } from '../../session/session-context.tsx';
import classes from './device.module.css';

const SECONDS_PER_HOUR = 3_600;

/** Where a person types the code of a program that wants to sign in, sees what it asks for, and decides. */
export function DevicePage() {
  const { t } = useTranslation();
  const { session, devices } = useSession();
  const [code, setCode] = useState('');
  const [asked, setAsked] = useState<ConsoleDeviceLogin | null>(null);
  const [decided, setDecided] = useState<'approve' | 'deny' | null>(null);
  const { isBusy, error, run } = useAction();
  const isUnknown = error instanceof ApiError && error.problem?.code === 'device_code_not_valid';

  const find = (event: FormEvent) => {
    event.preventDefault();
    setDecided(null);
    void run(async () => setAsked(await devices.find(code)));
  };
  const decide = (decision: 'approve' | 'deny', { user_code: userCode }: ConsoleDeviceLogin) =>
    void run(async () => {
      try {
        await devices.decide(userCode, decision);
        setDecided(decision);
        setCode('');
      } finally {
        setAsked(null);
      }
    });
  return (
    <>
      <PageHead title={t('device.title')} />
      <Stack maw={560}>
        {decided !== null && (
          <Alert color={decided === 'approve' ? 'green' : 'blue'} role="status">
            {t(decided === 'approve' ? 'device.approved' : 'device.denied')}
          </Alert>
        )}
        {asked === null ? (
          <form onSubmit={find}>
            <Stack>
              <Text>{t('device.text')}</Text>
              <TextInput
                label={t('device.code')}
                placeholder="BCDF-GHJK"
                value={code}
                onChange={(event) => setCode(event.currentTarget.value)}
                maxLength={40}
                autoComplete="off"
                autoCapitalize="characters"
                spellCheck={false}
                required
              />
              {isUnknown ? (
                <Alert color="red" role="alert">
                  {t('device.unknown')}
                </Alert>
              ) : (
                <ActionError error={error} />
              )}
              <Group>
                <Button type="submit" loading={isBusy} disabled={code.trim() === ''}>
                  {t('device.show')}
                </Button>
              </Group>
            </Stack>
          </form>
        ) : (
          <Stack>
            <Alert color="yellow">{t('device.warning')}</Alert>
            <dl className={classes['facts']}>
              <dt>{t('device.client')}</dt>
              <dd>
                <PlainText text={asked.client_name} />
              </dd>
              <dt>{t('device.address')}</dt>
              <dd>
                <PlainText text={asked.address} />
              </dd>
              <dt>{t('device.code')}</dt>
              <dd className="mono">{asked.user_code}</dd>
              <dt>{t('device.requested')}</dt>
              <dd>
                <Time at={asked.requested_at} />
              </dd>
              <dt>{t('device.scope')}</dt>
              <dd>
                {t(`device.scopes.${asked.role}`, { name: session.member.name, workspace: session.workspace.name })}
              </dd>
              <dt>{t('device.life')}</dt>
              <dd>{t('device.hours', { count: Math.round(asked.token_life_seconds / SECONDS_PER_HOUR) })}</dd>
            </dl>
            <ActionError error={error} />
            <Group>
              <Button loading={isBusy} onClick={() => decide('approve', asked)}>
                {t('device.approve')}
              </Button>
              <Button variant="default" color="red" disabled={isBusy} onClick={() => decide('deny', asked)}>
                {t('device.deny')}
              </Button>
            </Group>
          </Stack>
        )}
      </Stack>
    </>
  );
}
