import { english } from '../words.ts';

/** What every page that shows image requests calls their parts: one vocabulary. */
export const requests = {
  operations: { generation: 'Generate', edit: 'Edit' },
  statuses: {
    running: 'Running',
    succeeded: 'Succeeded',
    failed: 'Failed',
    canceled: 'Cancelled',
  },
  codes: {
    invalid_request_error: 'Invalid request',
    unauthorized: 'Not authorized',
    insufficient_quota: 'Balance or limit',
    rate_limit: 'Rate limited',
    model_unavailable: 'Model unavailable',
    upstream_error: 'Upstream error',
    not_found: 'Not found',
    forbidden: 'Forbidden',
    proof_needed: 'Proof needed',
    method_not_allowed: 'Wrong method',
    unavailable: 'Service unavailable',
    internal_error: 'Internal error',
    interrupted: 'Interrupted',
    client_gone: 'Caller gone',
    slow_upload: 'Upload too slow',
  },
  advice: {
    invalid_request_error:
      'The request was not accepted. The answer named the field at fault: change it and send it again.',
    unauthorized: 'Send a valid API key.',
    insufficient_quota:
      'The balance, or the limit of the API key, was not enough. Add funds, or raise the limit.',
    rate_limit: 'As many requests as allowed were running. Send it again when one of them is done.',
    model_unavailable: 'Choose another model, or ask an administrator to enable this one.',
    upstream_error:
      'The image service behind this one failed. Send it again; if it goes on, give the trace ID to an administrator.',
    not_found: 'Check the address.',
    forbidden: 'Ask an administrator.',
    proof_needed: 'Enter the password or use the passkey again.',
    method_not_allowed: 'Use the method that the documentation names.',
    unavailable:
      'The image services were busy, this service was stopping, or its database did not answer. Send it again.',
    internal_error: 'Something went wrong in the service. Give the trace ID to an administrator.',
    interrupted: 'The service stopped before it was done. Send it again.',
    client_gone:
      'The caller closed the connection before there was an image. Wait longer for the answer.',
    slow_upload:
      'The request came too slowly, or stopped coming. Send it again, with smaller images if it has any.',
  },
  kinds: { top_up: 'Top-up', charge: 'Charge', refund: 'Refund', adjustment: 'Adjustment' },
  notBilled: 'not billed',
  playground: 'Playground',
  exportCsv: 'Export CSV',
  exportNote: (max: number) => `A file has at most ${english.number(max)} rows.`,
  exportTooMany: (rows: number, max: number) =>
    `${english.number(rows)} rows match, and a file has at most ${english.number(max)}. Choose a shorter range or more filters.`,
  noModel: 'none',
  notKept: 'Of these requests only the sums are still kept.',
};
