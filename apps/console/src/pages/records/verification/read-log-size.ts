/** How many leaves a log has by its newest checkpoint. Rejects where there is none to be read. */
export async function readLogSize(logUrl: string): Promise<number> {
  const reply = await fetch(`${logUrl}/checkpoint`);
  const [, size = ''] = (await reply.text()).split('\n');
  if (!reply.ok || !/^\d{1,15}$/.test(size)) throw new Error('the log has no checkpoint');
  return Number(size);
}
