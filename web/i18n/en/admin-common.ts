import { english } from '../words.ts';

/** What several pages of the administration say. */
export const adminCommon = {
  save: 'Save',
  saved: 'Saved',
  edit: 'Edit',
  add: 'Add',
  remove: 'Remove',
  delete: 'Delete',
  enable: 'Enable',
  disable: 'Disable',
  yes: 'Yes',
  no: 'No',
  none: 'none',
  unlimited: 'unlimited',
  never: 'never',
  commandLine: 'Command line',
  service: 'The service',
  reason: 'Reason',
  reasonHelp: 'For the audit log.',
  missing: 'This has to be filled in.',
  badAmount: 'Write an amount with up to 6 decimals, such as 0.04.',
  badNumber: 'Write a whole number.',
  changed: (before: string, after: string) => `${before} → ${after}`,
  changeFailed: 'The change was not made',

  health: {
    disabled: 'Disabled',
    retired: 'Retired',
    idle: 'No key',
    failing: 'Failing',
    healthy: 'Healthy',
    unknown: 'Not checked',
  },
  faults: {
    refused: 'Content declined',
    bad_request: 'Request not accepted',
    unsupported: 'Not supported',
    auth: 'Credential not accepted',
    quota: 'Account out of money',
    busy: 'Too busy',
    unavailable: 'Not reachable',
    timeout: 'No answer in time',
    protocol: 'Not an image',
    canceled: 'Cancelled',
  },
  missingHalf: {
    price: 'No price',
    enabled: 'Disabled',
    upstream: 'Not selected upstream',
  },
  notReady: (count: number) =>
    english.plural(count, {
      one: '1 thing is missing before others can use this service.',
      other: `${english.number(count)} things are missing before others can use this service.`,
    }),
  seeChecklist: 'See the checklist',
};
