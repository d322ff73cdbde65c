import type { Dialect } from './dialect.ts';

/** Semantic Kernel, which other conventions describe: its own is how a function is called. */
export const SEMANTIC_KERNEL: Dialect = {
  name: 'semantic_kernel',
  source: 'microsoft/semantic-kernel, python/semantic_kernel/functions',
  // `{prompt: '{{$input}}', kwargs}`.
  writes: { filled: { template: 'prompt', values: 'kwargs', variable: /\{\{\s*\$?\w+\s*\}\}/ } },
  modelWords: [/semantic[._-]?kernel/i],
};
