import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Route, RouteReply, RouteRequest } from '@answer-evidence/routes';
import { announcesForm, openForm } from './multipart/open-form.ts';
import { BODY_BYTES_MAX_DEFAULT } from './parse-input.ts';
import type { ReadPart } from './read-body-part.ts';

type FormRoute = Route & { readonly [Of in 'form' | 'handleForm']-?: NonNullable<Route[Of]> };

/** Whether this request of a route is a form. */
export function takesForm(route: Route, req: IncomingMessage): route is FormRoute {
  return route.form !== undefined && route.handleForm !== undefined && announcesForm(req.headers['content-type']);
}

/** Has a form handled while its file comes. Throws problems of status 400, 413, 415 and 422. */
export async function handleUpload(
  route: FormRoute,
  toRequest: (metadata: unknown) => RouteRequest<unknown, unknown, unknown>,
  req: IncomingMessage,
  res: ServerResponse,
  read: ReadPart,
): Promise<RouteReply> {
  const { fileBytesMax, metadataBytesMax = BODY_BYTES_MAX_DEFAULT } = route.form;
  const form = await openForm(req, res, { fileBytesMax, metadataBytesMax });
  try {
    return await route.handleForm(toRequest(await read(form.metadata, 'metadata')), form.file);
  } finally {
    form.close();
  }
}
