/** One way to add a record or an entry, at one number of connections. */
export type Contender = {
  readonly work: string;
  /** What a caller has of one response. */
  readonly offers: string;
  /** Records or entries in a second, over so many seconds. */
  readonly measure: (seconds: number) => Promise<number>;
};

/** As many as the other measurements use, and as many as the batches of logs in Go need. */
export const CONNECTIONS = [64, 512] as const;
