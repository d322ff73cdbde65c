import { openObject } from '@answer-evidence/contracts';
import type { Context } from './context.ts';
import { readJsonInput } from './files.ts';
import { UsageError } from './usage-error.ts';

/** What options say of an asset, whatever it is made of. */
export async function readMetadata(
  { io }: Context,
  {
    application,
    name,
    attributes,
  }: { readonly application?: string; readonly name?: string; readonly attributes?: string },
) {
  const read = attributes === undefined ? undefined : openObject.safeParse(await readJsonInput(io, attributes));
  if (read?.success === false) throw new UsageError(`${attributes ?? ''}: not a JSON object`);
  return {
    ...(application === undefined ? {} : { application_key: application }),
    ...(name === undefined ? {} : { name }),
    ...(read?.data === undefined ? {} : { attributes: read.data }),
  };
}
