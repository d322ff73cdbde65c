import { Alert, Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PlainText } from './plain-text.tsx';

type Props = { readonly label: string; readonly secret: string; readonly onDone?: () => void };

/** A secret that the service shows this once. It is nowhere else in the page, and gone when the page forgets it. */
export function SecretOnce({ label, secret, onDone }: Props) {
  const { t } = useTranslation();
  return (
    <Stack gap="sm">
      <Alert color="yellow">{t('secret.once')}</Alert>
      <div>
        <Text size="sm" fw={600} id="secret-label">
          <PlainText text={label} />
        </Text>
        <Code block className="wrapped" aria-labelledby="secret-label" role="textbox" aria-readonly tabIndex={0}>
          {secret}
        </Code>
      </div>
      <Group>
        <CopyButton value={secret}>
          {({ copied, copy }) => (
            <Button variant={onDone === undefined ? 'default' : 'filled'} onClick={copy}>
              {t(copied ? 'secret.copied' : 'secret.copy')}
            </Button>
          )}
        </CopyButton>
        {onDone !== undefined && (
          <Button variant="default" onClick={onDone}>
            {t('secret.done')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
