import { Anchor, Button, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AnswerRecord } from '@answer-evidence/contracts';
import { PlainText } from '../../components/plain-text.tsx';
import { Time } from '../../components/time.tsx';
import classes from './record.module.css';
import { formatTraceLink, isTraceTemplate, keepTraceTemplate, readTraceTemplate } from './trace-link.ts';

/** The traces of the record, each with a link into the reader's own tracing tool. */
export function RecordTraces({ record }: { readonly record: AnswerRecord }) {
  const { t } = useTranslation();
  const [template, setTemplate] = useState(readTraceTemplate);
  const [typed, setTyped] = useState(template);
  const isValid = typed === '' || isTraceTemplate(typed);
  const traces = listTraces(record);
  return (
    <section aria-labelledby="traces" className={classes['section']}>
      <Title order={2} size="h4" id="traces">
        {t('traces.title')}
      </Title>
      {traces.length === 0 && <Text c="dimmed">{t('traces.none')}</Text>}
      <ul className={classes['sources']}>
        {traces.map(({ key, traceId, spanId, at }) => {
          const link = formatTraceLink(template, traceId, spanId);
          return (
            <li key={key}>
              <span className="mono">
                <PlainText text={traceId} />
              </span>{' '}
              {at === null ? t('traces.own') : <Time at={at} />}{' '}
              {link !== undefined && (
                <Anchor href={link} target="_blank" rel="noreferrer noopener">
                  {t('traces.open')}
                </Anchor>
              )}
            </li>
          );
        })}
      </ul>
      {traces.length > 0 && (
        <details>
          <summary>{t('traces.configure')}</summary>
          <form
            className={classes['template']}
            onSubmit={(event) => {
              event.preventDefault();
              if (!isValid) return;
              keepTraceTemplate(typed);
              setTemplate(typed);
            }}
          >
            <TextInput
              label={t('traces.template')}
              description={t('traces.templateHint')}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              error={isValid ? null : t('traces.templateFault')}
              placeholder="https://tracing.example/trace/{trace_id}"
            />
            <Button type="submit" disabled={!isValid}>
              {t('common.save')}
            </Button>
          </form>
        </details>
      )}
    </section>
  );
}

type Trace = { readonly key: string; readonly traceId: string; readonly spanId: string; readonly at: string | null };

/** What was attached to the record, and before it the trace that its application named, unless that was attached. */
function listTraces({ trace_refs: refs, external_trace_id: own }: AnswerRecord): readonly Trace[] {
  const attached = refs.map(({ id, trace_id: traceId, span_id: spanId, attached_at: at }) => ({
    key: id,
    traceId: traceId ?? '',
    spanId: spanId ?? '',
    at,
  }));
  if (own === null || attached.some(({ traceId }) => traceId === own)) return attached;
  return [{ key: 'own', traceId: own, spanId: '', at: null }, ...attached];
}
