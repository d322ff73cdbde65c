import { Checkbox, NativeSelect, Radio, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type CreateTokenRequest, type Scope, SCOPES, TEXT_SCOPES } from '@answer-evidence/contracts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { useSession } from '../../session/session-context.tsx';
import { useReload } from '../../session/workspace-query.ts';
import { LIVES } from './lives.ts';

/** Issues a token: who it is for, what it may do, how long. */
export function IssueTokenDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const { client, may } = useSession();
  const reload = useReload();
  const [kind, setKind] = useState<CreateTokenRequest['kind']>(may('tokens.applications') ? 'application' : 'user');
  const [name, setName] = useState('');
  const [application, setApplication] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(['answer_audit:create']);
  const [life, setLife] = useState<number>(LIVES[3]);
  const [secret, setSecret] = useState<string | null>(null);
  const offered = SCOPES.filter((scope) => may('tokens.texts') || !TEXT_SCOPES.includes(scope));
  const isApplication = kind === 'application';
  const isReady = name.trim() !== '' && (!isApplication || (application.trim() !== '' && scopes.length > 0));

  async function submit(): Promise<void> {
    const issued = await client.tokens.create({
      name: name.trim(),
      kind,
      expires_in_seconds: life,
      ...(isApplication ? { application_key: application.trim(), scopes: [...scopes] } : {}),
    });
    setSecret(issued.token);
    await reload('tokens');
  }

  return (
    <FormDialog
      title={t('tokens.issue')}
      size="lg"
      action={t('tokens.issue')}
      isReady={isReady}
      outcome={
        secret === null ? undefined : (
          <SecretOnce label={t('tokens.secret', { name: name.trim() })} secret={secret} onDone={onClose} />
        )
      }
      onSubmit={submit}
      onClose={onClose}
    >
      {may('tokens.applications') && (
        <Radio.Group
          label={t('tokens.kind')}
          value={kind}
          onChange={(value) => setKind(value === 'user' ? 'user' : 'application')}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="application" label={t('tokens.ofApplication')} />
            <Radio value="user" label={t('tokens.ofYourself')} />
          </Stack>
        </Radio.Group>
      )}
      <TextInput
        label={t('tokens.name')}
        description={t('tokens.nameHint')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        data-autofocus
      />
      {isApplication && (
        <>
          <TextInput
            label={t('tokens.application')}
            description={t('tokens.applicationHint')}
            value={application}
            onChange={(event) => setApplication(event.currentTarget.value)}
            required
            spellCheck={false}
          />
          <Checkbox.Group
            label={t('tokens.scopes')}
            value={[...scopes]}
            onChange={(values) => setScopes(SCOPES.filter((scope) => values.includes(scope)))}
            required
          >
            <Stack gap="xs" mt="xs">
              {offered.map((scope) => (
                <Checkbox key={scope} value={scope} label={scope} description={t(`scopes.${nameOf(scope)}`)} />
              ))}
            </Stack>
          </Checkbox.Group>
        </>
      )}
      <NativeSelect
        label={t('tokens.life')}
        value={life}
        onChange={(event) => setLife(Number(event.currentTarget.value))}
        data={LIVES.map((seconds) => ({ value: String(seconds), label: t(`lives.${seconds}`) }))}
      />
    </FormDialog>
  );
}

/** A scope as a key of a catalogue, where a colon would separate namespaces. */
function nameOf(scope: Scope): string {
  return scope.slice('answer_audit:'.length).replace(':', '_');
}
