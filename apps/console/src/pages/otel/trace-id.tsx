import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { formatTraceLink, readTraceTemplate } from '../records/trace-link.ts';

type Props = { readonly traceId: string | null; readonly spanId: string | null };

/** The ids of a trace and a span: a link to what became of it, and one to where the reader said traces are shown. */
export function TraceId({ traceId, spanId }: Props) {
  const { t } = useTranslation();
  if (traceId === null) return '–';
  const outside = formatTraceLink(readTraceTemplate(), traceId, spanId ?? '');
  return (
    <span className="mono">
      <Link to="/opentelemetry" search={{ view: 'trace', trace_id: traceId }} title={t('otel.fateOf')}>
        {traceId}
      </Link>
      {spanId !== null && ` ${spanId}`}
      {outside !== undefined && (
        <>
          {' '}
          <Anchor href={outside} target="_blank" rel="noreferrer noopener" inherit>
            {t('otel.outside')}
          </Anchor>
        </>
      )}
    </span>
  );
}
