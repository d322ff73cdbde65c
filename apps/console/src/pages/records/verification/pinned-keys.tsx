import { Alert, Button, FileButton, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TrustFile } from '@answer-evidence/contracts';
import { formatFingerprint } from '@answer-evidence/note';
import { PlainText } from '../../../components/plain-text.tsx';
import { saveFile } from '../../../components/save-file.ts';
import { findStrangeKeys, listKeys, parseTrustFile } from './pins.ts';

type Props = {
  /** What the reader pinned in this browser. */
  readonly pins: TrustFile | null;
  /** What the service says of itself. */
  readonly named: TrustFile;
  readonly onPin: (trust: TrustFile | null) => void;
};

/** The keys that signatures are checked with, where they come from, and how to change that. */
export function PinnedKeys({ pins, named, onPin }: Props) {
  const { t } = useTranslation();
  const [hasFault, setFault] = useState(false);
  const strange = pins === null ? [] : findStrangeKeys(pins, named);

  async function take(file: File | null): Promise<void> {
    if (file === null) return;
    try {
      onPin(parseTrustFile(await file.text()));
      setFault(false);
    } catch {
      setFault(true);
    }
  }

  return (
    <>
      <Text fw={600}>{t(pins === null ? 'pins.fromService' : 'pins.pinned')}</Text>
      <ul className="plain-list">
        {listKeys(pins ?? named).map(({ origin, vkey }) => (
          <li key={`${origin} ${vkey}`}>
            <PlainText text={origin} /> <code className="mono">{formatFingerprint(vkey)}</code>
          </li>
        ))}
      </ul>
      <Text size="sm">{t('pins.compare')}</Text>
      {strange.length > 0 && (
        <Alert color="yellow" my="sm" title={t('pins.strange')}>
          {t('pins.strangeText')}
          <ul className="plain-list">
            {strange.map((vkey) => (
              <li key={vkey}>
                <code className="mono">{formatFingerprint(vkey)}</code>
              </li>
            ))}
          </ul>
        </Alert>
      )}
      {hasFault && (
        <Alert role="alert" color="red" my="sm">
          {t('pins.fault')}
        </Alert>
      )}
      <Group mt="xs">
        {pins === null || strange.length > 0 ? (
          <Button variant="default" onClick={() => onPin(named)}>
            {t('pins.pin')}
          </Button>
        ) : null}
        {pins !== null && (
          <Button variant="default" onClick={() => onPin(null)}>
            {t('pins.forget')}
          </Button>
        )}
        <FileButton accept="application/json,.json" onChange={(file) => void take(file)}>
          {(props) => (
            <Button variant="default" {...props}>
              {t('pins.file')}
            </Button>
          )}
        </FileButton>
        <Button
          variant="default"
          onClick={() =>
            saveFile('trust.json', 'application/json', [
              new TextEncoder().encode(`${JSON.stringify(pins ?? named, null, 2)}\n`),
            ])
          }
        >
          {t('pins.save')}
        </Button>
      </Group>
    </>
  );
}
