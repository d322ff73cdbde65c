// Release 1.1 has no types, and those of @types/negotiator are older than `preferred`.
declare module 'negotiator' {
  type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Reads the `Accept-*` headers of a request (RFC 9110, section 12.5). */
  export default class Negotiator {
    constructor(request: { readonly headers: Headers });
    /** The best of these codings; among those that are as good, by the order of `preferred`. */
    encoding<Coding extends string>(
      available: readonly Coding[],
      options: { readonly preferred: readonly string[] },
    ): Coding | undefined;
  }
}
