import { expect, it } from 'vitest';
import { findSetting, parseSetting, settingKeys, settingsTable } from './settings.ts';

it.each(settingKeys)('has a default for %s that it accepts', (key) => {
  expect(parseSetting(key, settingsTable[key].default)).toBe(settingsTable[key].default);
});

it.each([
  ['slotsPerUser', '32', 32],
  ['slotsPerUser', 10_000, 10_000],
  ['currency', 'EUR', 'EUR'],
  ['abandonedRequestsPerUser', '0', 0],
  ['usageDaysKept', '35', 35],
  ['usageDaysKept', 36_500, 36_500],
  ['usageDaysKept', '0', 0],
  ['auditDaysKept', 35, 35],
  ['lowBalance', '5', '5.00'],
  ['lowBalance', '0.000001', '0.000001'],
  ['lowBalance', '0', '0.00'],
  ['noticeWebhookUrl', 'http://10.0.0.7:9000/hook?a=b', 'http://10.0.0.7:9000/hook?a=b'],
  ['noticeWebhookUrl', '', ''],
] as const)('reads %s from %j', (key, value, expected) => {
  expect(parseSetting(key, value)).toBe(expected);
});

it.each([
  ['slotsPerUser', '0'],
  ['slotsPerUser', '10001'],
  ['slotsPerUser', '1.5'],
  ['slotsPerUser', 'many'],
  ['slotsPerUser', ''],
  ['slotsPerUser', null],
  ['currency', 'usd'],
  ['currency', 'EURO'],
  ['currency', 7],
  ['abandonedRequestsPerUser', -1],
  ['usageDaysKept', 34],
  ['usageDaysKept', '36501'],
  ['usageDaysKept', 1],
  ['auditDaysKept', '-1'],
  ['auditDaysKept', 34],
  ['lowBalance', '-1'],
  ['lowBalance', '5,00'],
  ['lowBalance', '0.0000001'],
  ['lowBalance', 5],
  ['noticeWebhookUrl', 'example.com/hook'],
  ['noticeWebhookUrl', 'ftp://example.com/hook'],
  ['noticeWebhookUrl', 'https://user:password@example.com/hook'],
  ['noticeWebhookUrl', 'https://example.com/a hook'],
  ['noticeWebhookUrl', `https://example.com/${'x'.repeat(2_048)}`],
] as const)('refuses %s as %j, and says what it must be', (key, value) => {
  const { name, expected } = settingsTable[key];
  expect(() => parseSetting(key, value)).toThrow(`${name} must be ${expected}.`);
});

it('finds a setting by its name only', () => {
  expect(findSetting('slots_per_user')).toBe('slotsPerUser');
  expect(findSetting('slotsPerUser')).toBeNull();
  expect(findSetting('constructor')).toBeNull();
});
