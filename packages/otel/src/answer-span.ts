import { type Span, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api';
import { type AnswerFacts, toAttributes } from './answer-attributes.ts';

/** Which span is made, and what is known of the answer before it is there. */
export type AnswerSpanOptions = AnswerFacts & {
  /** Default `answer`. */
  readonly name?: string;
  /** Default: that of the global provider. */
  readonly tracer?: Tracer;
};

/** Says what becomes known of the answer while the span is open, such as its sources. */
export type Tell = (facts: Partial<AnswerFacts>) => void;

/**
 * Runs a function as one marked span, in which all spans of other libraries are. If it returns a text and has told no
 * answer, the text is the answer. Returns and throws what the function does. If it throws, the span is not marked.
 */
export async function answerSpan<T>(
  { name = 'answer', tracer = trace.getTracer('@answer-evidence/otel'), ...known }: AnswerSpanOptions,
  work: (tell: Tell, span: Span) => T | PromiseLike<T>,
): Promise<T> {
  return tracer.startActiveSpan(name, async (span) => {
    let facts: AnswerFacts = known;
    try {
      const result = await work((more) => {
        facts = { ...facts, ...more };
      }, span);
      if (typeof result === 'string') facts = { answer: result, ...facts };
      span.setAttributes(toAttributes(facts));
      return result;
    } catch (error) {
      // No message: it may quote a text.
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** A function that does the same as the given one, as a marked span; what is known is found from the arguments. */
export function answering<Arguments extends readonly unknown[], T>(
  find: (...args: Arguments) => AnswerSpanOptions,
  work: (...args: Arguments) => T | PromiseLike<T>,
): (...args: Arguments) => Promise<T> {
  return async (...args) => answerSpan(find(...args), () => work(...args));
}
