import { beforeAll, describe, expect, it } from 'vitest';
import { settingSections } from '../../../../server/settings/settings.ts';
import {
  type SettingView,
  settingsSchema,
  settingSections as shownSections,
} from '../../../../shared/console/admin-settings.ts';
import { type Api, describeApi, outcomeOf, wrong } from '../../../support/callers/api.ts';
import { readEventStream } from '../../../support/callers/event-stream.ts';
import { type AdminWorld, enterAsAdmin, sent } from '../../../support/console/admin-world.ts';
import { hurriedClock } from '../../../support/hurried-clock.ts';

it('the console knows every section', () => {
  expect(shownSections).toEqual(settingSections);
});

const hurry = 200;

describeApi(inSettings, { clock: hurriedClock(hurry) });

function inSettings(api: Api): void {
  let world: AdminWorld;
  beforeAll(async () => {
    world = await enterAsAdmin(api);
  });

  const settings = async (): Promise<ReadonlyMap<string, SettingView>> => {
    const answer = await sent(world, 'GET', { path: '/admin/settings' });
    return new Map(
      settingsSchema.parse(answer.body).settings.map((setting) => [setting.name, setting]),
    );
  };
  const change = (section: string, values: Readonly<Record<string, unknown>>) =>
    world.visitor.ask('PATCH', `/admin/settings/${section}`, { body: { values } });

  it('describes what each setting may be', async () => {
    const shown = await settings();
    expect(shown.get('slots_per_user')).toMatchObject({
      section: 'limits',
      form: { kind: 'integer', min: 1, max: 10_000 },
      default: 16,
      locked: null,
    });
    expect(shown.get('registration')).toMatchObject({
      form: { kind: 'choice', choices: ['closed', 'invitation', 'open'] },
    });
    expect(shown.get('top_up_text')).toMatchObject({
      form: { kind: 'text', characters_max: 1_000, is_long: true },
    });
  });

  it('changes one section and leaves the others', async () => {
    const answer = await change('general', {
      contact: 'ask@example.com',
      default_zone: 'Asia/Tokyo',
    });
    const { settings: changed } = settingsSchema.parse(answer.body);
    expect(new Set(changed.map(({ section }) => section))).toEqual(new Set(['general']));
    expect((await settings()).get('contact')?.value).toBe('ask@example.com');
  });

  it('changes nothing when one value is wrong', async () => {
    const answer = await change('general', { contact: 'other', default_zone: 'Nowhere' });
    expect(outcomeOf(answer)).toEqual(wrong('default_zone'));
    expect((await settings()).get('contact')?.value).not.toBe('other');
  });

  it('does not know a setting of another section', async () => {
    const answer = await change('general', { slots_per_user: 3 });
    expect(outcomeOf(answer)).toEqual(wrong('values.slots_per_user'));
    expect(outcomeOf(await change('privacy', {}))).toEqual(wrong('section'));
  });

  it.each([
    ['slots_per_user', 'limits', 10_000, 10_001],
    ['abandoned_requests_per_user', 'limits', 0, -1],
    ['top_up_text', 'general', 'x'.repeat(1_000), 'x'.repeat(1_001)],
    ['installation_name', 'general', 'x'.repeat(60), 'x'.repeat(61)],
  ])('keeps %s within its bounds', async (name, section, right, tooMuch) => {
    expect((await change(section, { [name]: right })).status).toBe(200);
    expect(outcomeOf(await change(section, { [name]: tooMuch }))).toEqual(wrong(name));
  });

  it('says that the currency is locked once money moved, and why', async () => {
    const currency = (await settings()).get('currency');
    expect(currency).toMatchObject({ value: 'USD', locked: expect.stringContaining('currency') });
    expect(outcomeOf(await change('general', { currency: 'EUR' }))).toEqual(wrong('currency'));
    expect((await change('general', { currency: 'USD' })).status).toBe(200);
  });

  describe('the test of long answers', () => {
    it('holds a stream open as long as it says', async () => {
      const answer = await sent(world, 'GET', { path: '/admin/stream-test?seconds=150' });
      const { events, comments } = readEventStream(answer.text);
      expect(events.map(({ name }) => name)).toEqual(['begin', 'end']);
      // Node's timers may be a millisecond early.
      expect(events[1]?.data['elapsed_ms']).toBeGreaterThanOrEqual(150_000 - hurry);
      expect(new Set(comments)).toEqual(new Set(['keep-alive']));
    });

    it.each(['0', '151', 'x'])('does not last %s seconds', async (seconds) => {
      const answer = await world.visitor.get(`/admin/stream-test?seconds=${seconds}`);
      expect(outcomeOf(answer)).toEqual(wrong('seconds'));
    });
  });
}
