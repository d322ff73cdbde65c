import { createOutboundHttp, createOutboundTls, parseAllowList } from '@answer-evidence/outbound-http';
import type { OutboundMethods, OutboundTls } from '@answer-evidence/ports';
import type { Config } from './config.ts';

/** The way out as the operator allows: public https addresses, and what is listed. */
export function createOutbound(config: Config): OutboundMethods {
  return createOutboundHttp({ allowList: parseAllowList(config.SERVICE_OUTBOUND_ALLOW ?? '') });
}

/** The same for protocols over TLS that are not HTTP. */
export function createTlsOutbound(config: Config): OutboundTls {
  return createOutboundTls({ allowList: parseAllowList(config.SERVICE_OUTBOUND_ALLOW ?? '') });
}
