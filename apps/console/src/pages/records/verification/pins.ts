import { type TrustFile, trustFile } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';

/** Where a browser keeps texts by name. */
type Store = {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
};

const nameOf = (workspaceId: string) => `answer-evidence.pins.${workspaceId}`;

/** The trust file that the reader pinned in this browser for a workspace: public keys only. Null without one. */
export function readPins(store: Store, workspaceId: string): TrustFile | null {
  try {
    const kept = store.getItem(nameOf(workspaceId));
    return kept === null ? null : parseTrustFile(kept);
  } catch {
    return null;
  }
}

/** Pins a trust file, or forgets the pinned one. */
export function keepPins(store: Store, workspaceId: string, trust: TrustFile | null): void {
  if (trust === null) store.removeItem(nameOf(workspaceId));
  else store.setItem(nameOf(workspaceId), JSON.stringify(trust));
}

/** A trust file from its text. Throws for any other text. */
export function parseTrustFile(text: string): TrustFile {
  return trustFile.parse(parseJsonText(text));
}

/** The keys of a trust file, each with the log that it signs. */
export function listKeys(trust: TrustFile): readonly { readonly origin: string; readonly vkey: string }[] {
  return trust.logs.flatMap(({ origin, keys }) => keys.map(({ vkey }) => ({ origin, vkey })));
}

/** The keys that a service names and the pinned file does not have: no signature by them counts. */
export function findStrangeKeys(pinned: TrustFile, named: TrustFile): readonly string[] {
  const known = new Set(listKeys(pinned).map(({ origin, vkey }) => `${origin}\n${vkey}`));
  return listKeys(named).flatMap(({ origin, vkey }) => (known.has(`${origin}\n${vkey}`) ? [] : [vkey]));
}
