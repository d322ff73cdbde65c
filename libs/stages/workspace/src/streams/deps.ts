import type {
  Clock,
  Ledger,
  NamedBuckets,
  OutboundHttp,
  OutboundTls,
  RandomSource,
  StreamStore,
  WorkFinder,
  WorkspaceDirectory,
} from '@answer-evidence/ports';

/** What reaches the destinations of streams. */
export type DestinationDeps = {
  readonly outbound: OutboundHttp;
  readonly outboundTls: OutboundTls;
  readonly buckets: NamedBuckets;
};

/** What streams need from around them. */
export type StreamDeps = DestinationDeps & {
  readonly streams: StreamStore;
  readonly work: WorkFinder;
  readonly ledger: Ledger;
  readonly directory: WorkspaceDirectory;
  readonly clock: Clock;
  readonly random: RandomSource;
  /** The name of the host that sends, as syslog has it. */
  readonly hostName: string;
};
