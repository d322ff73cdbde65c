import { Anchor } from '@mantine/core';
import { formatTraceLink, readTraceTemplate } from '../records/trace-link.ts';

type Props = { readonly traceId: string | null; readonly spanId: string | null };

/** The ids of a trace and a span, as a link where the reader said where traces are shown. */
export function TraceId({ traceId, spanId }: Props) {
  if (traceId === null) return '–';
  const link = formatTraceLink(readTraceTemplate(), traceId, spanId ?? '');
  return (
    <span className="mono">
      {link === undefined ? (
        traceId
      ) : (
        <Anchor href={link} target="_blank" rel="noreferrer noopener" inherit>
          {traceId}
        </Anchor>
      )}
      {spanId !== null && ` ${spanId}`}
    </span>
  );
}
