import { readFileSync } from 'node:fs';

const LINE_FEED = 10;

/** A request as an exporter sent it. */
export type RecordedRequest = {
  readonly signal: 'traces' | 'logs';
  readonly encoding: 'pb' | 'json';
  readonly body: Uint8Array;
};

type Header = {
  readonly scenario: string;
  readonly requests: readonly { readonly signal: 'traces' | 'logs'; readonly encoding: 'pb' | 'json'; bytes: number }[];
};

/** The requests of each scenario of a program, in the form that `packs.py` describes. Throws if the file is cut off. */
export function readPack(path: string): ReadonlyMap<string, readonly RecordedRequest[]> {
  const bytes = readFileSync(path);
  const scenarios = new Map<string, readonly RecordedRequest[]>();
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf(LINE_FEED, at);
    const { scenario, requests } = JSON.parse(bytes.toString('utf8', at, end)) as Header;
    at = end + 1;
    const read = requests.map(({ signal, encoding, bytes: size }) => {
      const body = bytes.subarray(at, (at += size));
      if (body.length !== size) throw new Error(`${path} ends within ${scenario}`);
      return { signal, encoding, body };
    });
    scenarios.set(scenario, read);
  }
  return scenarios;
}
