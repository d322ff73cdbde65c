/** An attribute that has one of these values, compared without regard to case; but not where the exception holds. */
export type Condition = {
  readonly key: string;
  readonly values: readonly string[];
  readonly except?: Pick<Condition, 'key' | 'values'>;
};

/** Conditions about an attribute that names the kind of a span. */
export function kindsOf(key: string): (...values: readonly string[]) => Condition {
  return (...values) => ({ key, values });
}
