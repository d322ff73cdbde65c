/** Why something cannot be taken over. */
export type Refusal = { readonly reason: string };

/** Whether something could not be read. */
export function isRefusal(read: object): read is Refusal {
  return 'reason' in read;
}
