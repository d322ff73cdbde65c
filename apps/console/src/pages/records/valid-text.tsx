import { Button, CopyButton, Group } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PlainText } from '../../components/plain-text.tsx';
import { looksLikeMarkdown } from './looks-like-markdown.ts';

// Most texts are no Markdown.
const MarkdownText = lazy(async () => ({ default: (await import('./markdown-text.tsx')).MarkdownText }));

/** A text to be read and copied; Markdown is rendered, with its source at hand. */
export function ValidText({ text, label }: { readonly text: string; readonly label: string }) {
  const { t } = useTranslation();
  const isMarkdown = looksLikeMarkdown(text);
  const [isSource, setSource] = useState(false);
  const plain = <PlainText text={text} isBlock label={label} />;
  return (
    <>
      {isMarkdown && !isSource ? (
        <Suspense fallback={plain}>
          <MarkdownText text={text} label={label} />
        </Suspense>
      ) : (
        plain
      )}
      <Group gap="xs" mt="xs">
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button variant="default" size="xs" onClick={copy}>
              {t(copied ? 'texts.copied' : 'texts.copy')}
            </Button>
          )}
        </CopyButton>
        {isMarkdown && (
          <Button variant="default" size="xs" aria-pressed={isSource} onClick={() => setSource(!isSource)}>
            {t('texts.source')}
          </Button>
        )}
      </Group>
    </>
  );
}
