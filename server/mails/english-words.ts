/** What mails say: plain words, for somebody who never saw this service's inside. */
export const englishWords = {
  /** By which somebody signs in or up. A link follows what is said `before` it. */
  letters: {
    password_reset: {
      subject: (service: string) => `${service}: set a new password`,
      before: (service: string) =>
        `Somebody asked for a new password for your account at ${service}. If it was you, set it here within an hour:`,
      after: 'If it was not you, do nothing: your password stays as it is.',
    },
    registration: {
      subject: (service: string) => `${service}: open your account`,
      before: (service: string) =>
        `Somebody asked for an account at ${service} with this address. If it was you, open it here within an hour:`,
      after: 'If it was not you, do nothing.',
    },
    known: {
      subject: (service: string) => `${service}: you have an account already`,
      before: (service: string) =>
        `Somebody asked for an account at ${service} with this address, which has one. If it was you, sign in:`,
      after: 'If it was not you, do nothing.',
    },
    invitation: {
      subject: (service: string) => `${service}: you are invited`,
      before: (service: string, inviter: string) =>
        `${inviter} invites you to ${service}. Open your account here within a week:`,
      after: 'The link works once. Do not pass it on.',
    },
  },

  inviter: {
    both: (name: string, email: string) => `${name} (${email})`,
    /** Who cannot be named. */
    somebody: 'An administrator',
  },

  /** What was changed of how somebody signs in, or used up of it, told to whom the account belongs. */
  accountChange: {
    kinds: {
      password: {
        subject: (service: string) => `${service}: your password was changed`,
        happened: (of: { service: string; time: string }) =>
          `The password of your account at ${of.service} was changed on ${of.time}.`,
      },
      authenticator_added: {
        subject: (service: string) => `${service}: an authenticator was added`,
        happened: (of: { service: string; time: string }) =>
          `An authenticator was added to your account at ${of.service} on ${of.time}.`,
      },
      authenticator_removed: {
        subject: (service: string) => `${service}: the authenticator was removed`,
        happened: (of: { service: string; time: string }) =>
          `The authenticator of your account at ${of.service} was removed on ${of.time}.`,
      },
      recovery_codes: {
        subject: (service: string) => `${service}: new recovery codes were made`,
        happened: (of: { service: string; time: string }) =>
          `New recovery codes were made for your account at ${of.service} on ${of.time}. The old ones no longer work.`,
      },
      recovery_code_used: {
        subject: (service: string) => `${service}: a recovery code was used`,
        happened: (of: { service: string; time: string }) =>
          `Somebody signed in to your account at ${of.service} with the password and a recovery code on ${of.time}. The code no longer works.`,
      },
      passkey_added: {
        subject: (service: string) => `${service}: a passkey was added`,
        happened: (of: { service: string; time: string }) =>
          `A passkey was added to your account at ${of.service} on ${of.time}.`,
      },
      passkey_removed: {
        subject: (service: string) => `${service}: a passkey was removed`,
        happened: (of: { service: string; time: string }) =>
          `A passkey of your account at ${of.service} was removed on ${of.time}.`,
      },
    },
    known: 'If you know of this, there is nothing to be done.',
    unknown:
      'If you do not, somebody else may be using your account. Set a new password at once, which signs out every browser and script: choose "Forgot the password?" on this page.',
    afterwards:
      'Then see whether the passkeys and the authenticator under Account, and the API keys, are yours.',
  },

  lowBalance: {
    subject: (service: string, balance: string) => `${service}: your balance is low, ${balance}`,
    fell: (of: { service: string; threshold: string; balance: string; time: string }) =>
      `Your balance at ${of.service} fell below ${of.threshold}: it was ${of.balance} on ${of.time}.`,
    until:
      'You can go on until it no longer covers the price of a picture; requests are refused then.',
    addFunds: 'To avoid that, add funds to your wallet.',
    addFundsBy: 'To avoid that, add funds to your wallet:',
    onceEach: (threshold: string) =>
      `You get this message once each time your balance falls below ${threshold}.`,
  },

  test: {
    subject: (service: string) => `${service}: a test of low-balance notices`,
    works: (service: string) =>
      `An operator of ${service} tried whether its messages reach this address. They do. There is nothing to be done.`,
  },

  contact: (contact: string) => `Contact: ${contact}`,
  notice: (id: string) => `Notice: ${id}`,
  request: (traceId: string) => `Request: ${traceId}`,
};
