/** The one request that makes a job's picture. */
import { must } from '../../lib/assert.ts';
import type { BodyPiece } from '../../lib/bytes/body-pieces.ts';
import type { OutgoingRequest } from '../../lib/outgoing/guarded-http.ts';
import type { ImageJob, UpstreamWarning } from '../upstream.ts';
import { jsonBody } from '../wire/picture-text.ts';
import type { EditStyle, Traits } from './dialect.ts';
import { editForm, editJson } from './edit-body.ts';
import { jobFields } from './job-fields.ts';
import type { Service } from './service.ts';

export interface PictureRequest {
  request: OutgoingRequest & { body: readonly BodyPiece[] };
  warnings: readonly UpstreamWarning[];
}

export async function pictureRequest(
  job: ImageJob,
  service: Service,
  credential: string | null,
): Promise<PictureRequest> {
  const traits = service.traits(job.upstreamModel);
  const edit = job.operation === 'edit' ? editStyleFor(job.mask, traits) : null;
  const { fields, warnings } = jobFields(job, service, edit);
  const { contentType, body } = await encoded(job, fields, edit);
  const url = service.url(edit?.path ?? traits.generationPath, job.upstreamModel);
  const { traceHeader } = service.dialect;
  const headers = {
    'content-type': contentType,
    ...(traceHeader !== null && { [traceHeader]: job.traceId }),
    ...service.credentialHeaders(credential),
  };
  return { request: { method: 'POST', url, headers, body }, warnings };
}

/** How this edit, one of those the model can make, is sent. */
function editStyleFor(mask: ImageJob['mask'], { edit, maskedEdit }: Traits): EditStyle {
  return must(mask ? (maskedEdit ?? edit) : edit, 'a way to edit');
}

async function encoded(
  job: ImageJob,
  fields: Readonly<Record<string, unknown>>,
  edit: EditStyle | null,
): Promise<{ contentType: string; body: readonly BodyPiece[] }> {
  if (edit?.body.as === 'multipart') return editForm(job, fields, { ...edit, body: edit.body });
  const value =
    edit?.body.as === 'json' ? await editJson(job, fields, { ...edit, body: edit.body }) : fields;
  return { contentType: 'application/json', body: jsonBody(value) };
}
