import { createOutboundHttp, isLoopbackHost, parseAllowList } from '@answer-evidence/outbound-http';
import type { OutboundMethods } from '@answer-evidence/ports';
import type { Config } from './config.ts';

/**
 * The way out, within what the operator allows. A service that only this machine can reach may call this machine, so
 * that everything can be tried on one; where others reach it, they must not reach through it what listens beside it.
 */
export function createOutbound(config: Config): OutboundMethods {
  return createOutboundHttp({
    allowList: parseAllowList(config.SERVICE_OUTBOUND_ALLOW ?? ''),
    allowLoopback: isLoopbackHost(config.SERVICE_HTTP_HOST),
  });
}
