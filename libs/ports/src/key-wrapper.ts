/** A key that never leaves a service of its own, and wraps others there. */
export interface KeyWrapper {
  /** What people call the key, such as its id; not a secret. */
  readonly name: string;
  /**
   * At most 4,096 bytes under the key. What is wrapped can only be unwrapped for the same purpose: the service compares
   * it. Throws `KeyWrapperError`.
   */
  wrap(purpose: string, secret: Uint8Array): Promise<Uint8Array>;
  /** The bytes that were wrapped for this purpose. Throws `KeyWrapperError`. */
  unwrap(purpose: string, wrapped: Uint8Array): Promise<Uint8Array>;
}

/** Why a key was not wrapped or unwrapped, in words that have nothing of the secret. */
export class KeyWrapperError extends Error {
  override readonly name = 'KeyWrapperError';
  /** `away`: nobody responds, and a later try may succeed. `refused`: somebody has to change something. */
  readonly kind: 'away' | 'refused';

  constructor(kind: KeyWrapperError['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}
