import { bigint, bytea, table, text } from './table.ts';

/** How far the words of texts are indexed, in a workspace that searches for them. It may be lost, and is made again. */
export const WORD_INDEXES = table('word_indexes', {
  key: [],
  columns: {
    /** Makes the key of the tokens; empty while they are taken away. */
    salt: bytea,
    /** The workspace's hash key when the index was begun, or nothing: under another one it is made again. */
    made_under: text,
    /** The texts of the leaves below it are in the index. */
    next_leaf: bigint,
    /** Binds the others together, so that an altered row is made again instead of believed. */
    mac: bytea,
  },
});

/** That a record has a word in one of its texts; the word itself is nowhere. */
export const WORD_TOKENS = table('word_tokens', {
  key: ['token', 'leaf_index'],
  columns: {
    token: bytea,
    /** Of the record. */
    leaf_index: bigint,
  },
});
