import { type OpenServer, openServer, type ServerOptions } from '@answer-evidence/http-edge';
import { StartError } from './start-error.ts';

/** Listens; `setting` is what sets the port. Throws `StartError` for an address that cannot be had. */
export async function listen(
  handler: ServerOptions['handler'],
  host: string,
  port: number,
  setting: string,
  connectionsMax?: number,
): Promise<OpenServer> {
  try {
    return await openServer({ handler, host, port, ...(connectionsMax === undefined ? {} : { connectionsMax }) });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE')
      throw new StartError(`port ${port} is in use; stop the program that uses it or set ${setting}`);
    if (code === 'EACCES') throw new StartError(`port ${port} is not open to this user; set ${setting} above 1023`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new StartError(`"${host}" is not an address of this machine; correct SERVICE_HTTP_HOST`);
    throw error;
  }
}
