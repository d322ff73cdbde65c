/** Flags of V8 for every process that serves requests; decision 0127 says why. */
export const V8_FLAGS = ['--max-semi-space-size=32', '--no-allocation-site-pretenuring'] as const;
