import type { Block, ShownCheck } from '../output/blocks.ts';

/** What one file came to. A fault is why it could not be verified at all, which fails it. */
export type Verified = { readonly file: string } & (
  | {
      readonly kind: 'bundle' | 'run' | 'pack' | 'receipt' | 'checkpoint' | 'log';
      readonly checks: readonly ShownCheck[];
      /** The result for programs. */
      readonly json: object;
      readonly blocks: () => readonly Block[];
      /** Throws what kept the log from being read, where it was asked for. */
      readonly assertRead?: () => void;
    }
  | { readonly kind: 'fault'; readonly fault: string }
);
