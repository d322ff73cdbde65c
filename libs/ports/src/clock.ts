/** The time. */
export interface Clock {
  /** Microseconds since 1970, a safe integer; may step back. */
  nowMicros(): number;
}

/** Unpredictable bytes. */
export interface RandomSource {
  /** `sizeBytes` fresh bytes from the system's generator; the caller owns them. */
  bytes(sizeBytes: number): Uint8Array;
}
