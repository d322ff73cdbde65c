import type { Vkey } from './vkey.ts';

/** A log that a policy accepts; the name of its key is its origin. */
export type PolicyLog = { readonly vkey: Vkey; readonly url: string | undefined };

/** A witness under the policy's name for it, which has no meaning outside; `url` is its submission prefix. */
export type PolicyWitness = { readonly name: string; readonly vkey: Vkey; readonly url: string | undefined };

/** How many members of a group must have witnessed a checkpoint for the group to have. */
export type GroupThreshold = 'all' | 'any' | number;

/** Witnesses, or groups that stand before this one, under a name. */
export type PolicyGroup = {
  readonly name: string;
  readonly threshold: GroupThreshold;
  readonly members: readonly string[];
};

/** When a checkpoint counts as witnessed (C2SP tlog-policy). Only `parseWitnessPolicy` makes and checks one. */
export type WitnessPolicy = {
  readonly logs: readonly PolicyLog[];
  readonly witnesses: readonly PolicyWitness[];
  /** In their order: each names only witnesses and groups before it. */
  readonly groups: readonly PolicyGroup[];
  /** The witness or group that decides; null is `quorum none`, which asks for nothing. */
  readonly quorum: string | null;
};

/** A policy text that breaks a rule. */
export class WitnessPolicyError extends Error {
  override readonly name = 'WitnessPolicyError';
  /** The first line that breaks one, from 1; undefined when what is wrong is not in one line. */
  readonly line: number | undefined;
  /** What is wrong, in words and without any of the text. */
  readonly reason: string;

  constructor(reason: string, line?: number) {
    super(line === undefined ? reason : `line ${line}: ${reason}`);
    this.line = line;
    this.reason = reason;
  }
}
