/** The result of the first call for every call; what it throws is thrown again. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | { readonly error: unknown } | undefined;
  return () => {
    made ??= attempt(make);
    if ('error' in made) throw made.error;
    return made.value;
  };
}

function attempt<T>(make: () => T): { readonly value: T } | { readonly error: unknown } {
  try {
    return { value: make() };
  } catch (error) {
    return { error };
  }
}
