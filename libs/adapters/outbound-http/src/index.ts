export { type AllowList, parseAllowList } from './allow-list.ts';
export type { OutboundRules } from './judge-url.ts';
export { createOutboundHttp, type OutboundOptions } from './outbound-http.ts';
export { createOutboundTls } from './outbound-tls.ts';
export type { Resolve } from './resolve-judged.ts';
