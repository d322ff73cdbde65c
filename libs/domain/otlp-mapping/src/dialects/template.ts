/**
 * A prompt into which a framework fills a question, beside documents or instructions of its own. The question stands
 * between `before` and the first of `after` that follows it; without one, it is the rest. In a prompt in which what
 * comes before the question is not the framework's, such as documents, the question is what stands last.
 */
export type Template = {
  readonly begin: string;
  /** Without this, somebody may have begun so. */
  readonly needs?: string;
  readonly before: string;
  readonly after: readonly string[];
  readonly stands: 'first' | 'last';
  /** What the model writes is another question, for a search, and no answer. */
  readonly isRewriting?: boolean;
};

/** A prompt whose model answers what was asked. */
export function template(
  begin: string,
  before: string,
  after: string | readonly string[],
  stands: Template['stands'] = 'first',
): Template {
  return { begin, before, after: typeof after === 'string' ? [after] : after, stands };
}

/** A prompt whose model writes another question, or a text for another prompt. */
export function rewriting(begin: string, before: string, after: string): Template {
  return { ...template(begin, before, after, 'last'), isRewriting: true };
}
