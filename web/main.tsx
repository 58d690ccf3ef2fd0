import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { bootstrapQuery } from './api/bootstrap.ts';
import { createQueryClient } from './api/query-client.ts';
import { showLocale } from './i18n/locale.ts';
import { serviceText } from './i18n/service-text.ts';
import { shellText } from './i18n/shell-text.ts';
import { disguiseTexts } from './i18n/text.ts';
import { uiText } from './i18n/ui-text.ts';
import { keptTexts } from './lib/kept-texts.ts';
import { createConsoleRouter } from './routes/router.ts';
import { obeyPreferences } from './shell/preferences-in-force.ts';
import { UiFrame } from './shell/ui-frame.tsx';
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet
import './styles/console.css';

await begin();

async function begin(): Promise<void> {
  await wearDisguise();
  const queryClient = createQueryClient();
  // Asked for at once; the router waits for the answer.
  const bootstrap = queryClient.ensureQueryData(bootstrapQuery);
  await bootstrap.then(({ user }) => user && obeyPreferences(user.preferences), ignore);
  await Promise.all([uiText.preload(), shellText.preload(), serviceText.preload()]);
  showLocale();
  const root = document.getElementById('root');
  if (!root) throw new Error('the page has no root');
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <UiFrame>
          <RouterProvider router={createConsoleRouter(queryClient)} />
        </UiFrame>
      </QueryClientProvider>
    </StrictMode>,
  );
}

/** The router meets the same error and shows it. */
function ignore(): void {}

/** The pseudo-locale, which tests turn on to find words that do not fit or were forgotten. */
async function wearDisguise(): Promise<void> {
  if (keptTexts.read('tintype.pseudo-locale') === null) return;
  disguiseTexts((await import('./i18n/pseudo.ts')).pseudoWords);
}
