/** The largest part of what a workspace keeps that one sweep erases without an operator's word. */
const SHARE_MAX = 0.1;

/** Whether so much is due at once that the clock or the settings may be wrong: more than a tenth of what is kept. */
export function isShareImplausible(due: number, kept: number): boolean {
  return due > kept * SHARE_MAX;
}
