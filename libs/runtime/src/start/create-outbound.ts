import { createOutboundHttp, isLoopbackHost, parseAllowList } from '@answer-evidence/outbound-http';
import type { OutboundMethods } from '@answer-evidence/ports';
import type { Config } from './config.ts';

/** The way out as the operator allows. Only a service that nobody else can reach may call its own machine. */
export function createOutbound(config: Config): OutboundMethods {
  return createOutboundHttp({
    allowList: parseAllowList(config.SERVICE_OUTBOUND_ALLOW ?? ''),
    allowLoopback: isLoopbackHost(config.SERVICE_HTTP_HOST),
  });
}
