const TRACE = '{trace_id}';
const SPAN = '{span_id}';
const KEPT_AS = 'answer-evidence.trace-template';

/** Where this browser shows traces; empty where the reader has not said it. */
export function readTraceTemplate(): string {
  return localStorage.getItem(KEPT_AS) ?? '';
}

/** Keeps in this browser where traces are shown. */
export function keepTraceTemplate(template: string): void {
  localStorage.setItem(KEPT_AS, template);
}

/** Whether a template leads to a page over HTTP, and says where the id of the trace goes. */
export function isTraceTemplate(template: string): boolean {
  const tried = template.replaceAll(TRACE, '0').replaceAll(SPAN, '0');
  return template.includes(TRACE) && URL.canParse(tried) && /^https?:$/.test(new URL(tried).protocol);
}

/** The link to a trace; undefined where the template is none. */
export function formatTraceLink(template: string, traceId: string, spanId: string): string | undefined {
  if (!isTraceTemplate(template)) return undefined;
  const [trace, span] = [traceId, spanId].map(encodeURIComponent);
  return template.replaceAll(TRACE, () => trace ?? '').replaceAll(SPAN, () => span ?? '');
}
