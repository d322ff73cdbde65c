/** The version of this product, as its packages state it. */
export const PRODUCT_VERSION = '0.1.0';
/** The version of the interface that this service speaks; there is no other yet. */
export const SERVICE_VERSION = '2026-07-31';
/** Every version that a request may name in `Service-Version`. */
export const SUPPORTED_VERSIONS: readonly string[] = [SERVICE_VERSION];
