import type { Bootstrap } from '../../../../shared/console/session.ts';
import { rightsOf } from '../../../accounts/rights.ts';
import type { Installation, SignedIn } from '../../../flows/reading/read-bootstrap.ts';
import type { Settings } from '../../../settings/settings.ts';
import { availableOf } from '../../../wallets/wallet.ts';
import type { ConsoleOptions } from '../console-deps.ts';
import { presentAmount } from './amount.ts';

type Options = Pick<ConsoleOptions, 'version' | 'oidcName' | 'sendsMail' | 'publicUrl'>;

export function presentBootstrap(
  { settings, isSetUp, signedIn }: Installation,
  { version, oidcName, sendsMail, publicUrl }: Options,
): Bootstrap {
  return {
    version,
    installation: {
      name: settings.installationName,
      currency: settings.currency,
      is_set_up: isSetUp,
      registration: settings.registration,
      oidc: oidcName === null ? null : { name: oidcName },
      sends_mail: sendsMail,
      public_url: publicUrl?.replace(/\/+$/, '') ?? null,
      usage_days_kept: settings.usageDaysKept,
    },
    user: signedIn && presentSignedIn(signedIn, settings),
  };
}

function presentSignedIn(
  { user, preferences, wallet, attention }: SignedIn,
  { slotsPerUser }: Settings,
): Bootstrap['user'] {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    role: user.role,
    rights: [...rightsOf(user.role)],
    preferences,
    wallet: {
      balance: presentAmount(wallet.balance),
      held: presentAmount(wallet.held),
      available: presentAmount(availableOf(wallet)),
    },
    slots: { max: user.slotsMax ?? slotsPerUser, running: wallet.inFlight },
    attention: attention && { ...attention },
  };
}
