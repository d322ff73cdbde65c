export { type AllowList, parseAllowList } from './allow-list.ts';
export type { OutboundRules } from './judge-url.ts';
export { createOutboundHttp, type OutboundOptions, type Resolve } from './outbound-http.ts';
