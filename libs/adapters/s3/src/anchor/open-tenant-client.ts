import type { Client } from 'minio';
import type { NamedBucket, OutboundMethods } from '@answer-evidence/ports';
import { createClient, isOrigin } from '../create-client.ts';
import { createOutboundTransport, type TransportLimits } from './outbound-transport.ts';
import { StoreRefusal } from './store-refusal.ts';

/** A client of a server that a tenant names. Rejects with `OutboundError` or `StoreRefusal`. */
export async function openTenantClient(
  access: Omit<NamedBucket, 'bucket'>,
  outbound: OutboundMethods,
  limits: TransportLimits,
): Promise<Client> {
  // Judged before it is taken apart: what the parts are put together to is judged again with each request.
  outbound.assertAllowed(access.url);
  const url = new URL(access.url);
  if (!isOrigin(url)) throw new StoreRefusal('the store URL must have only a scheme, a host and a port');
  const { region, access_key_id: accessKey, secret_access_key: secretKey } = access;
  try {
    return await createClient(url, { region, accessKey, secretKey }, createOutboundTransport(outbound, limits));
  } catch (error) {
    throw new StoreRefusal('the URL, the region or the keys are not valid for an S3 server', { cause: error });
  }
}
