export { type Authenticator, createAuthenticator } from './auth/authenticator.ts';
export { createHostPolicy, type HostPolicy } from './auth/host-policy.ts';
export { createTokenUses, type TokenUses } from './auth/token-uses.ts';
export {
  type Call,
  type CalledRoute,
  type CallEdge,
  type CallEdgeOptions,
  type CallOutcome,
  createCallEdge,
} from './http/call-route.ts';
export { parseCorsOrigins } from './http/cross-origin.ts';
export type { ConsoleProxy } from './http/console-proxy.ts';
export { createHttpApp, type HttpApp, type HttpAppOptions } from './http/create-http-app.ts';
export { describeApi } from './http/openapi/describe-api.ts';
export { decompressBody } from './http/decode-body.ts';
export type { HttpMetrics, RequestLogger } from './http/exchange.ts';
export {
  assertTlsPair,
  CONNECTIONS_MAX_DEFAULT,
  type OpenServer,
  openServer,
  type ServerOptions,
  type ServerTimeouts,
  type TlsPair,
  tlsContextOf,
} from './http/open-server.ts';
export { closeLongestIdle, isCrowded } from './http/make-room.ts';
export { GrowingBytes } from './http/growing-bytes.ts';
export { processorMs } from './http/processor-ms.ts';
export { CallerLeftError, overloaded, UNCOUNTED_BYTES } from './http/read-body.ts';
export { type BodyPart, type BodyReaders, readBodyPart } from './http/read-body-part.ts';
export { parseTrustedProxies, type TrustedProxies } from './rate-limits/client-address.ts';
export { DEFAULT_RATE_LIMITS, parseRateLimits, type RateLimits } from './rate-limits/parse-rate-limits.ts';
export { createRequestLimits, type RequestLimits } from './rate-limits/request-limits.ts';
