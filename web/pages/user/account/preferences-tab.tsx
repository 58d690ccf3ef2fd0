import { useMutation, useQueryClient } from '@tanstack/react-query';
import { startTransition, useOptimistic, useState } from 'react';
import { changePreferences, type Preferences } from '../../../api/account.ts';
import { type ApiError, toApiError } from '../../../api/api-error.ts';
import { bootstrapQuery, useUser } from '../../../api/bootstrap.ts';
import { accountText } from '../../../i18n/account-text.ts';
import { browserZone } from '../../../i18n/formats.tsx';
import { changeLocale } from '../../../i18n/locale.ts';
import { useText } from '../../../i18n/text.ts';
import { isZone } from '../../../lib/range-search.ts';
import { showTheme } from '../../../lib/theme.ts';
import { zoneLabel } from '../../../lib/time-format.ts';
import { ErrorNote } from '../../../parts/error-note.tsx';
import { Field } from '../../../ui/field.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { TextInput } from '../../../ui/text-input.tsx';

/** How the console looks and speaks; each choice is in force at once, in every browser. */
export function PreferencesTab() {
  const t = useText(accountText).preferences;
  const { preferences, change, failure } = useChange();
  return (
    <div className="grid max-w-120 gap-5">
      {failure && <ErrorNote error={failure} title={t.failed} />}
      <Field label={t.language} help={t.languageHelp}>
        <Segmented
          value={preferences.language ?? 'browser'}
          choices={(['browser', 'en', 'zh-CN'] as const).map((value) => ({
            value,
            label:
              value === 'browser' ? (
                t.languages.browser
              ) : (
                <span lang={value}>{t.languages[value]}</span>
              ),
          }))}
          onChange={(chosen) => change({ language: chosen === 'browser' ? null : chosen })}
        />
      </Field>
      <Field label={t.theme}>
        <Segmented
          value={preferences.theme}
          choices={(['system', 'light', 'dark'] as const).map((value) => ({
            value,
            label: t.themes[value],
          }))}
          onChange={(theme) => change({ theme })}
        />
      </Field>
      <ZoneField zone={preferences.zone} onChange={(zone) => change({ zone })} />
      <Switch
        label={t.shortcuts}
        help={t.shortcutsHelp}
        checked={preferences.shortcuts}
        onChange={(shortcuts) => change({ shortcuts })}
      />
    </div>
  );
}

function ZoneField({
  zone,
  onChange,
}: {
  zone: string | null;
  onChange: (zone: string | null) => void;
}) {
  const t = useText(accountText).preferences;
  const [typed, setTyped] = useState(zone ?? '');
  const [isWrong, setWrong] = useState(false);
  const commit = () => {
    const name = typed.trim();
    const isKnown = name === '' || isZone(name);
    setWrong(!isKnown);
    if (isKnown && name !== (zone ?? '')) onChange(name === '' ? null : name);
  };
  return (
    <Field
      label={t.zone}
      help={t.zoneHelp(zoneLabel(browserZone()))}
      error={isWrong ? t.zoneUnknown : null}
    >
      <TextInput
        list="zones"
        value={typed}
        placeholder={browserZone()}
        autoComplete="off"
        spellCheck={false}
        onChange={(text) => {
          setTyped(text);
          setWrong(false);
        }}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit();
        }}
      />
      <datalist id="zones">
        {Intl.supportedValuesOf('timeZone').map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </Field>
  );
}

const mutationKey = ['preferences'];

/**
 * Shows it first: a choice that waits for the network feels broken. Several are sent one after the
 * other, as they were made; what fails is taken back.
 */
function useChange() {
  const queryClient = useQueryClient();
  // What is known of the user is told a moment later, and until then a switch would go back to where it was.
  const [preferences, choose] = useOptimistic(
    useUser().preferences,
    (known, changes: Partial<Preferences>): Preferences => ({ ...known, ...changes }),
  );
  const [failure, setFailure] = useState<ApiError | null>(null);
  const show = async (changes: Partial<Preferences>) => {
    queryClient.setQueryData(bootstrapQuery.queryKey, (known) =>
      known?.user
        ? {
            ...known,
            user: { ...known.user, preferences: { ...known.user.preferences, ...changes } },
          }
        : known,
    );
    if (changes.theme !== undefined) showTheme(changes.theme);
    if (changes.language !== undefined) await changeLocale(changes.language);
  };
  const { mutateAsync } = useMutation({
    scope: { id: 'preferences' },
    mutationKey,
    mutationFn: changePreferences,
    onMutate: async (changes: Partial<Preferences>) => {
      // An answer from before this choice would take it back.
      await queryClient.cancelQueries({ queryKey: bootstrapQuery.queryKey });
      const before = queryClient.getQueryData(bootstrapQuery.queryKey)?.user?.preferences;
      setFailure(null);
      await show(changes);
      return before;
    },
    onError: async (error, changes, before) => {
      setFailure(toApiError(error));
      const known = Object.entries(before ?? {});
      await show(Object.fromEntries(known.filter(([name]) => Object.hasOwn(changes, name))));
    },
    onSettled: () => {
      // As the service has it, once nothing more is on its way there.
      if (queryClient.isMutating({ mutationKey }) > 1) return;
      void queryClient.invalidateQueries({ queryKey: bootstrapQuery.queryKey });
    },
  });
  const change = (changes: Partial<Preferences>) =>
    startTransition(async () => {
      choose(changes);
      // What went wrong is told above.
      await mutateAsync(changes).catch(() => undefined);
    });
  return { preferences, change, failure };
}
