import type { Cost, Costs } from '../costs.ts';
import type { Figure } from '../figures.ts';

/** What one round has measured. */
export type Round = {
  readonly perSecond: number;
  /** Where that is not all of it: what was acknowledged, whether it was in the ledger by then or not. */
  readonly acknowledged?: number;
  readonly cost?: Cost;
};

/** A rate over all rounds, and what each of its requests cost. */
export type Rate = { readonly perSecond: Figure; readonly acknowledged: Figure | undefined; readonly costs: Costs };
