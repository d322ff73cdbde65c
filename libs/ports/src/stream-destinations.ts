/** Certificates and a key that somebody outside has given for a connection, in PEM. */
export type TlsPems = {
  /** What the chain of the other side must end at; without it, those certificates that the system trusts. */
  readonly ca?: string | undefined;
  /** What the service shows of itself: its certificate, with those that it was issued by, and the key. */
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
};

/** Which of them cannot be used, and why not. */
export type PemFault = {
  readonly member: keyof TlsPems;
  readonly reason: 'not_certificates' | 'not_a_key' | 'encrypted' | 'too_large' | 'other_pair' | 'unusable';
};

/** A connection that somebody outside has named, over which bytes are sent once. */
export type TlsDelivery = TlsPems & {
  readonly host: string;
  readonly port: number;
  readonly bytes: Uint8Array;
  /** For everything together: name look-up, connection, sending, and the end of the connection. */
  readonly timeoutMs: number;
  /** Ends it at once, as if its time had run out. */
  readonly signal?: AbortSignal | undefined;
};

/** The way out for protocols over TLS that are not HTTP. What may be called is judged as for a https URL. */
export interface OutboundTls {
  /** Judges a host and a port without a look-up, for when they are set. Throws `OutboundError`. */
  assertPlaceAllowed(host: string, port: number): void;
  /** Judges certificates and a key without a connection, for when they are set. */
  judgePems(pems: TlsPems): PemFault | undefined;
  /**
   * Connects, sends everything, says that nothing more comes, and waits until the other side ends the connection in
   * turn: it has read everything then. Rejects with `OutboundError`.
   */
  deliver(delivery: TlsDelivery): Promise<void>;
}

/** A bucket that somebody outside has named. */
export type NamedBucket = {
  /** The endpoint: scheme, host and port. */
  readonly url: string;
  readonly bucket: string;
  readonly region: string;
  readonly access_key_id: string;
  readonly secret_access_key: string;
};

/** Writes into buckets that somebody outside has named, within the same rules. */
export interface NamedBuckets {
  /**
   * Puts an object, in the place of one that has its key. Resolves once the store has it; with words of ours if the
   * store refuses it. Rejects with `OutboundError`.
   */
  put(
    bucket: NamedBucket,
    key: string,
    content: Uint8Array,
    limits: { readonly timeoutMs: number; readonly signal?: AbortSignal },
  ): Promise<string | undefined>;
}
