import type { Attributes, Span, SpanContext } from '@opentelemetry/api';
import { type AnswerFacts, toAttributes } from './answer-attributes.ts';

/** What a rule can see of a span. */
export type SeenSpan = {
  readonly name: string;
  readonly attributes: Readonly<Attributes>;
  /** Of the instrumentation. */
  readonly scopeName: string;
  readonly spanContext: SpanContext;
};

/** Which spans are answers. A rule matches if everything that it names does. */
export type MarkingRule = {
  /** The name of the instrumentation scope; with `*` at the end, every name that begins so. */
  readonly scopeName?: string;
  /** The name of the span; with `*` at the end, every name that begins so. */
  readonly spanName?: string;
  /** Attributes with exactly these values. */
  readonly attributes?: Attributes;
  /** What else the mark says; the default key is made of the ids of trace and span, which no retry shares. */
  readonly facts?: (span: SeenSpan) => Partial<AnswerFacts>;
};

type Watched = Span & {
  readonly name: string;
  readonly attributes: Attributes;
  readonly instrumentationScope?: { readonly name: string };
};

/** A span processor of OpenTelemetry, as far as providers know one. */
export type MarkingProcessor = {
  /** A span begins: it is marked if a rule is for it. */
  onStart(span: Span): void;
  /** A span is about to end, with all its attributes: it is marked if a rule is for it now. */
  onEnding(span: Span): void;
  /** Does nothing: the processor exports no spans. */
  onEnd(): void;
  /** Resolves at once: the processor keeps no spans. */
  forceFlush(): Promise<void>;
  /** Resolves at once. */
  shutdown(): Promise<void>;
};

/**
 * Marks the spans that a rule matches, as answers to record. Put it in front of the processor that exports. The rules
 * see a span when it starts, and once more when it ends, with all its attributes, where the SDK calls `onEnding`. A
 * span that is marked already stays as it is.
 */
export function createMarkingProcessor(rules: readonly MarkingRule[]): MarkingProcessor {
  const ours = new WeakSet<Span>();
  const mark = (given: Span) => {
    const span = given as Watched;
    const isMarked = 'service.audit.idempotency_key' in span.attributes;
    if (!span.isRecording() || (isMarked && !ours.has(span))) return;
    const seen = {
      name: span.name,
      attributes: span.attributes,
      scopeName: span.instrumentationScope?.name ?? '',
      spanContext: span.spanContext(),
    };
    const rule = rules.find((one) => matches(one, seen));
    if (rule === undefined) return;
    ours.add(span);
    const { traceId, spanId } = seen.spanContext;
    span.setAttributes(toAttributes({ key: `${traceId}-${spanId}`, ...rule.facts?.(seen) }));
  };
  return {
    onStart: mark,
    onEnding: mark,
    onEnd: () => undefined,
    forceFlush: () => Promise.resolve(),
    shutdown: () => Promise.resolve(),
  };
}

function matches({ scopeName, spanName, attributes = {} }: MarkingRule, span: SeenSpan): boolean {
  return (
    matchesName(scopeName, span.scopeName) &&
    matchesName(spanName, span.name) &&
    Object.entries(attributes).every(([name, value]) => span.attributes[name] === value)
  );
}

function matchesName(wanted: string | undefined, name: string): boolean {
  if (wanted === undefined) return true;
  return wanted.endsWith('*') ? name.startsWith(wanted.slice(0, -1)) : name === wanted;
}
