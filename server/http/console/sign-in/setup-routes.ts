/** The first run: until somebody has an account, everything leads here. */
import { z } from 'zod';
import {
  setupCheckAnswerSchema,
  setupCheckSchema,
  setupRequestSchema,
  setupStateSchema,
} from '../../../../shared/console/setup.ts';
import {
  isSetupSecret,
  setUpInstallation,
} from '../../../flows/installation/set-up-installation.ts';
import { readSetupState } from '../../../flows/reading/read-setup-state.ts';
import { type ConsoleRoute, publicRoute } from '../console-route.ts';
import { pageLanguage } from '../page-language.ts';
import { visitorOf } from '../viewer.ts';
import { enter } from './enter.ts';

export const setupRoutes: readonly ConsoleRoute[] = [
  publicRoute({
    method: 'GET',
    path: '/setup/state',
    summary: 'Which steps of the setup are done; more than the first for administrators only',
    right: 'anyone',
    answer: setupStateSchema,
    handle: async ({ viewer }, deps) =>
      readSetupState(deps, viewer?.role === 'admin' ? viewer.userId : null),
  }),
  publicRoute({
    method: 'POST',
    path: '/setup/check',
    summary: 'Whether a setup link still works',
    right: 'anyone',
    body: setupCheckSchema,
    answer: setupCheckAnswerSchema,
    handle: async ({ body }, deps) => ({ is_valid: await isSetupSecret(deps, body.secret) }),
  }),
  publicRoute({
    method: 'POST',
    path: '/setup',
    summary: 'Make the first account, an administrator’s, by the link that the service printed',
    right: 'anyone',
    body: setupRequestSchema,
    answer: z.object({}),
    handle: async (call, deps) => {
      const visitor = visitorOf(call.request, deps);
      const language = pageLanguage(call.request.headers['accept-language']);
      await enter(call, await setUpInstallation(deps, { ...call.body, visitor, language }), deps);
      return {};
    },
  }),
];
