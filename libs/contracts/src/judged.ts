/** An issue of a check of our own, as zod takes it. */
type Fault = {
  readonly code: 'custom';
  readonly path: (string | number)[];
  readonly input: unknown;
  readonly message: string;
};

/** What a check of a schema is given: the value, and where its faults go. Names no library, so that types can leave. */
export type Judged<T> = {
  readonly value: T;
  readonly issues: { readonly length: number; push(fault: Fault): unknown };
};

/** An issue at a place below what is checked. */
export function fault(path: (string | number)[], input: unknown, message: string): Fault {
  return { code: 'custom', path, input, message };
}
