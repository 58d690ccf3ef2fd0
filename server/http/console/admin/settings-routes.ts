/** What an administrator changes while the service runs, one section at a time. */
import { z } from 'zod';
import {
  type SettingView,
  sectionParamsSchema,
  sectionPatchSchema,
  settingsSchema,
  streamTestQuerySchema,
} from '../../../../shared/console/admin-settings.ts';
import type { Db } from '../../../db/db.ts';
import { changeSettings, whyLocked } from '../../../flows/installation/change-setting.ts';
import { invalidRequest } from '../../../lib/service-error.ts';
import {
  findSetting,
  type SettingForm,
  type SettingKey,
  type SettingSection,
  type Settings,
  settingKeys,
  settingsTable,
} from '../../../settings/settings.ts';
import { readSettings } from '../../../settings/settings-store.ts';
import { closingSignal } from '../../connections/closing-signal.ts';
import { headersOf, takeOver } from '../../connections/take-over.ts';
import { EventStream } from '../../event-stream.ts';
import { adminOf } from '../actor.ts';
import { type ConsoleRoute, signedInRoute } from '../console-route.ts';

const right = 'admin.settings';

export const adminSettingsRoutes: readonly ConsoleRoute[] = [
  signedInRoute({
    method: 'GET',
    path: '/admin/settings',
    summary: 'All settings, with what each may be',
    right,
    answer: settingsSchema,
    handle: async (_call, { database }) => ({ settings: await presentSettings(database) }),
  }),
  signedInRoute({
    method: 'PATCH',
    path: '/admin/settings/:section',
    summary: 'Change settings of one section, all or none',
    right,
    params: sectionParamsSchema,
    body: sectionPatchSchema,
    answer: settingsSchema,
    handle: async ({ params, body, viewer }, deps) => {
      const { section } = params;
      const wanted = Object.entries(body.values).map(([name, value]) => ({
        key: keyOf(name, section),
        value,
      }));
      await changeSettings(adminOf(viewer, deps, body.reason), wanted);
      return { settings: await presentSettings(deps.database, section) };
    },
  }),
  signedInRoute({
    method: 'GET',
    path: '/admin/stream-test',
    summary: 'Holds an event stream open as long as pictures take, to see whether a proxy cuts it',
    right,
    query: streamTestQuerySchema,
    answer: z.null(),
    handle: async ({ query, reply }, { clock, images }) => {
      const signal = closingSignal(reply);
      const begun = clock.monotonic();
      const elapsedMs = () => Math.round(clock.monotonic() - begun);
      const stream = new EventStream({
        response: takeOver(reply),
        clock,
        headers: headersOf(reply),
        openAfterMs: 0,
        // As a picture's stream does: comments alone, until the end.
        keepAliveMs: images.keepAliveMs,
      });
      const send = (type: string) =>
        stream.write([
          Buffer.from(
            `event: ${type}\ndata: ${JSON.stringify({ type, elapsed_ms: elapsedMs() })}\n\n`,
          ),
        ]);
      send('begin');
      try {
        await clock.sleep(query.seconds * 1000, signal);
        send('end');
      } catch {
        // The client, or a proxy before it, closed the connection.
      }
      stream.end();
      return null;
    },
  }),
];

async function presentSettings(
  db: Db,
  section: SettingSection | null = null,
): Promise<SettingView[]> {
  const settings = await readSettings(db);
  const shown: SettingView[] = [];
  for (const key of settingKeys) {
    if (section !== null && settingsTable[key].section !== section) continue;
    shown.push(presentSetting(key, { settings, locked: await whyLocked(db, key) }));
  }
  return shown;
}

function presentSetting(
  key: SettingKey,
  { settings, locked }: { settings: Settings; locked: string | null },
): SettingView {
  const { name, section, description, expected, form, default: initial } = settingsTable[key];
  return {
    name,
    section,
    description,
    expected,
    form: presentForm(form),
    value: settings[key],
    default: initial,
    locked,
  };
}

function presentForm(form: SettingForm): SettingView['form'] {
  switch (form.kind) {
    case 'choice':
      return { kind: form.kind, choices: [...form.choices] };
    case 'text':
      return { kind: form.kind, characters_max: form.charactersMax, is_long: form.isLong };
    default:
      return form;
  }
}

function keyOf(name: string, section: SettingSection): SettingKey {
  const key = findSetting(name);
  if (key !== null && settingsTable[key].section === section) return key;
  throw invalidRequest(`values.${name}`, `There is no setting ${name} in the section ${section}.`);
}
