import { openObject } from '@answer-evidence/contracts';
import type { Context } from './context.ts';
import { readJsonInput } from './files.ts';
import { given } from './options.ts';
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
  return given({ application_key: application, name, attributes: read?.data });
}
