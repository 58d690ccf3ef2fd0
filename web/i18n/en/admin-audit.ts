/** Who changed what. */
export const adminAudit = {
  title: 'Audit',
  time: 'Time',
  actor: 'Actor',
  action: 'Action',
  target: 'Target',
  changes: 'Before → after',
  reason: 'Reason',
  actorHint: 'E-mail, ID or system',
  targetHint: 'ID, e-mail or setting',
  empty: 'Nothing was changed yet.',
  nothing: 'No change matches.',
  listFailed: 'The audit could not be loaded',
  filterOf: (name: string, value: string) => `${name}: ${value}`,
  moreFilters: 'More filters',
  zone: 'Time zone',
  nothingBefore: 'nothing',
};
