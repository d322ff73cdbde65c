import type { NamedBuckets, OutboundHttp, OutboundTls, StageDeps } from '@answer-evidence/ports';

/** What reaches the destinations of streams. */
export type DestinationDeps = {
  readonly outbound: OutboundHttp;
  readonly outboundTls: OutboundTls;
  readonly buckets: NamedBuckets;
};

/** What streams need from around them. */
export type StreamDeps = StageDeps &
  DestinationDeps & {
    /** The name of the host that sends, as syslog has it. */
    readonly hostName: string;
  };
