/** One promise of a port: a name to report it by, and steps that throw when an adapter breaks it. */
export type ContractCase<Fixture> = {
  readonly guarantee: string;
  /** The fixture must be fresh: cases share nothing. */
  prove(fixture: Fixture): Promise<void>;
};

/** An adapter broke a promise of its port. */
class ContractBroken extends Error {
  override readonly name = 'ContractBroken';
}

/** Throws `ContractBroken` unless the promise holds. */
export function assertKept(holds: boolean, promise: string): void {
  if (!holds) throw new ContractBroken(promise);
}

/** Throws `ContractBroken` unless the action is refused with an error. */
export async function assertRefused(action: () => Promise<unknown>, promise: string): Promise<void> {
  let refused = false;
  try {
    await action();
  } catch {
    refused = true;
  }
  assertKept(refused, promise);
}
