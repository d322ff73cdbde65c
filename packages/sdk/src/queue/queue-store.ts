/** One answer of a queue, as the JSON of its request. */
export type QueueItem = {
  /** The JSON, where it is in memory and lost with the process. */
  readonly text?: string;
  /** Undefined when another process has sent it. Rejects with `QueueError` when what is kept is no request any more. */
  read(): Promise<string | undefined>;
  /** It has been sent: nothing of it is kept. */
  remove(): Promise<void>;
  /** It will never be accepted. It is kept beside the queue, where the queue is in a folder. */
  reject(reason: string): Promise<void>;
};

/** Where the answers of a queue are kept. */
export type QueueStore = {
  /** Keeps a request. What this has returned is there for the next process, as far as the store survives. */
  add(text: string): Promise<QueueItem>;
  /** What earlier processes have left, oldest first. */
  recover(): Promise<readonly QueueItem[]>;
  /** Whether what is in it outlives the process. */
  readonly isDurable: boolean;
};

/** A store in memory. */
export function createMemoryQueue(): QueueStore {
  const done = () => Promise.resolve();
  return {
    isDurable: false,
    add: (text) => Promise.resolve({ text, read: () => Promise.resolve(text), remove: done, reject: done }),
    recover: () => Promise.resolve([]),
  };
}
