import { Anchor, Button, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AnswerRecord } from '@answer-evidence/contracts';
import { Time } from '../../components/time.tsx';
import classes from './record.module.css';
import { formatTraceLink, isTraceTemplate, keepTraceTemplate, readTraceTemplate } from './trace-link.ts';

/** The traces of the record, each with a link into the reader's own tracing tool. */
export function RecordTraces({ record }: { readonly record: AnswerRecord }) {
  const { t } = useTranslation();
  const [template, setTemplate] = useState(readTraceTemplate);
  const [typed, setTyped] = useState(template);
  const isValid = typed === '' || isTraceTemplate(typed);
  const ids = new Set(record.trace_refs.map(({ trace_id: id }) => id));
  return (
    <section aria-labelledby="traces" className={classes['section']}>
      <Title order={2} size="h4" id="traces">
        {t('traces.title')}
      </Title>
      {ids.size === 0 && <Text c="dimmed">{t('traces.none')}</Text>}
      <ul className={classes['sources']}>
        {record.trace_refs.map((trace) => {
          const link = formatTraceLink(template, trace.trace_id ?? '', trace.span_id ?? '');
          return (
            <li key={trace.id}>
              <span className="mono">{trace.trace_id}</span> <Time at={trace.attached_at} />{' '}
              {link !== undefined && (
                <Anchor href={link} target="_blank" rel="noreferrer noopener">
                  {t('traces.open')}
                </Anchor>
              )}
            </li>
          );
        })}
      </ul>
      {ids.size > 0 && (
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
