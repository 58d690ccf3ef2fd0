import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { bootstrapQuery, useBootstrap } from '../../../api/bootstrap.ts';
import { setupStateQuery } from '../../../api/setup.ts';
import { setupText } from '../../../i18n/setup-text.ts';
import { useText } from '../../../i18n/text.ts';
import { oneOf, text, useSearchState } from '../../../lib/search-state.ts';
import { EntryPage } from '../../../parts/entry-page.tsx';
import { classes } from '../../../ui/classes.ts';
import { AccountStep } from './account-step.tsx';
import { ModelsStep } from './models-step.tsx';
import { PictureStep } from './picture-step.tsx';
import {
  firstOpenStep,
  isReachable,
  type SetupStep,
  setupSteps,
  stepAfter,
  stepBefore,
} from './setup-steps.ts';
import { UpstreamStep } from './upstream-step.tsx';
import { WalletStep } from './wallet-step.tsx';

const search = { step: oneOf(setupSteps), upstream: text };

const stepComponents = {
  upstream: UpstreamStep,
  models: ModelsStep,
  wallet: WalletStep,
  picture: PictureStep,
} as const;

export function SetupPage() {
  const t = useText(setupText);
  const queryClient = useQueryClient();
  const state = useSuspenseQuery(setupStateQuery).data;
  const { user } = useBootstrap();
  const [wanted, setSearch] = useSearchState(search);
  const open = firstOpenStep(state);
  const step = wanted.step && isReachable(wanted.step, state) ? wanted.step : open;
  const go = (to: SetupStep) => setSearch({ step: to });
  const finish = async (done: SetupStep) => {
    await queryClient.fetchQuery({ ...bootstrapQuery, staleTime: 0 });
    await queryClient.invalidateQueries({ queryKey: setupStateQuery.queryKey });
    go(stepAfter(done));
  };
  return (
    <EntryPage title={t.title} width="wide">
      <Progress step={step} done={(each) => state[each]} />
      {step === 'account' || !user ? (
        <AccountStep onDone={() => finish('account')} />
      ) : (
        // All are there, so that going back finds what was entered.
        (['upstream', 'models', 'wallet', 'picture'] as const).map((each) => {
          const Step = stepComponents[each];
          const before = stepBefore(each);
          return (
            <section key={each} hidden={each !== step} aria-label={t.steps[each]}>
              <Step
                upstream={wanted.upstream}
                onUpstream={(upstream) => setSearch({ upstream }, 'replace')}
                onBack={before && (() => go(before))}
                onSkip={() => go(stepAfter(each))}
                onDone={() => finish(each)}
              />
            </section>
          );
        })
      )}
    </EntryPage>
  );
}

function Progress({ step, done }: { step: SetupStep; done: (step: SetupStep) => boolean }) {
  const t = useText(setupText);
  const number = setupSteps.indexOf(step) + 1;
  return (
    <div className="grid gap-2">
      <ol aria-label={t.progress} className="grid grid-cols-5 gap-2">
        {setupSteps.map((each) => (
          <li
            key={each}
            aria-current={each === step ? 'step' : undefined}
            className={classes(
              'border-t-2 pt-1.5 text-label',
              each === step && 'border-ink font-semibold',
              each !== step && done(each) && 'border-ok text-text-2',
              each !== step && !done(each) && 'border-line text-text-3',
            )}
          >
            <span className="max-sm:sr-only">{t.steps[each]}</span>
          </li>
        ))}
      </ol>
      {/* Where there is no room for all names. */}
      <p aria-hidden className="text-label font-semibold sm:hidden">
        {t.stepOf(number, setupSteps.length, t.steps[step])}
      </p>
    </div>
  );
}
