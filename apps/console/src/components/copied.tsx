import { Button, CopyButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PlainText } from './plain-text.tsx';

const HASH = /^[a-z0-9-]+:[0-9a-f]{64}$/;
/** How many characters at the end of a hash tell it from others. */
const HASH_END = 8;

/** What the application calls it. Of a hash, as of a person, the end is shown, and the whole is copied. */
export function Label({ text }: { readonly text: string }) {
  if (HASH.test(text)) return <Copied text={text} shown={`…${text.slice(-HASH_END)}`} />;
  return (
    <span className="mono">
      <PlainText text={text} />
    </span>
  );
}

/** An id or a hash, to be copied whole. */
export function Copied({ text, shown = text }: { readonly text: string; readonly shown?: string }) {
  const { t } = useTranslation();
  return (
    <>
      <span className="mono" title={shown === text ? undefined : text}>
        <PlainText text={shown} />
      </span>{' '}
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button variant="subtle" size="compact-xs" onClick={copy}>
            {t(copied ? 'texts.copied' : 'texts.copy')}
          </Button>
        )}
      </CopyButton>
    </>
  );
}
