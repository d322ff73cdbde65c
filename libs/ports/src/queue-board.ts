/** What the board replies with. */
export type BoardReply = {
  readonly status: number;
  readonly type: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
};

/** Pages and files that show an operator what the queues hold: ids, counts and times. Changes nothing. */
export interface QueueBoard {
  /** The reply to a GET of this path, which begins with `/` below the board's own. Never rejects. */
  get(path: string, query: URLSearchParams): Promise<BoardReply>;
}

/** Queues with a board. */
export interface ShownQueues {
  /** Opens the board for pages below `basePath`; it lives as long as the queues. */
  openBoard(basePath: string): Promise<QueueBoard>;
}
