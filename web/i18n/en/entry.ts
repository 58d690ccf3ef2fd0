import { english } from '../words.ts';

/** Signing in, and what leads to it. */
export const entry = {
  email: 'E-mail',
  password: 'Password',
  newPassword: 'New password',
  passwordHelp: 'At least 12 characters. A few words are easy to remember and hard to guess.',
  name: 'Your name',
  nameHelp: 'Shown to administrators.',
  missing: 'This is needed.',
  notAnEmail: 'Write an address such as name@example.com.',
  tooShort: 'Use at least 12 characters.',
  tooLong: 'Use at most 200 characters.',
  language: 'Language',
  incompleteLink: 'A part of this link is missing. Copy it again, to its end.',

  signIn: {
    title: 'Sign in',
    submit: 'Sign in',
    passkey: 'Use a passkey',
    passkeyFailed: 'The passkey was not used. Try again, or sign in with your password.',
    issuer: (name: string) => `Sign in with ${name}`,
    or: 'or',
    forgot: 'Forgot the password?',
    register: 'Open an account',
    code: 'Code',
    codeTitle: 'Enter your code',
    codeHelp: 'From your authenticator app. If you have lost it, use a recovery code.',
    confirm: 'Confirm',
    startOver: 'Start over',
    recovered: {
      left: (codes: number) =>
        english.plural(codes, {
          one: '1 recovery code is left',
          other: `${codes === 0 ? 'No' : english.number(codes)} recovery codes are left`,
        }),
      usedUp: 'You are signed in. The code that you used no longer works.',
      renew: 'Make new ones soon, on the page Account, under Sign-in.',
      goOn: 'Continue',
    },
    isSetUp: 'This installation has been set up already. Sign in with an account of it.',
    problems: {
      expired: 'Signing in took too long. Try again.',
      refused: 'The sign-in was refused, or you stopped it.',
      no_account: 'There is no account for you here yet. Ask an administrator for an invitation.',
      email_unverified:
        'Your e-mail address is not verified with the sign-in service. Verify it there, then try again.',
      email_unproven:
        'There is an account with this address already. Sign in with its password, or set another one by a mailed link first.',
      linked_otherwise:
        'The account with your address is somebody else’s at the sign-in service. Ask an administrator.',
      disabled: 'This account is disabled. Ask an administrator.',
      unavailable: 'The sign-in service does not answer. Try again later.',
    },
  },
  signedOut: {
    title: 'You are signed out',
    going: 'Signing out',
    failed: 'You are not signed out',
    failedText: 'Whoever uses this browser next may act as you.',
    again: 'Sign in again',
  },
  reset: {
    title: 'Set a new password',
    askTitle: 'Forgot the password?',
    askText:
      'Enter your address. If there is an account for it, a link to set a new password is sent there.',
    ask: 'Send the link',
    another: 'Ask for another link',
    noMail: 'This service sends no mail. Ask an administrator for a link to set a new password.',
    sent: 'If there is an account for {email}, a link is on its way. It works for a limited time.',
    submit: 'Set the password',
    done: 'Your password is set. Every browser was signed out.',
    toSignIn: 'Go to sign in',
  },
  invitation: {
    title: 'You are invited',
    text: (installation: string) => `Open your account on ${installation}.`,
    asAdmin: 'You will be an administrator.',
    gift: (amount: string) => `Your wallet begins with ${amount}.`,
    submit: 'Open the account',
    missing: 'This address has no invitation in it. Use the link as you got it.',
    invalid: 'The invitation cannot be used',
    unread: 'The invitation could not be read',
  },
  register: {
    title: 'Open an account',
    closed: 'Registration is closed. Accounts are opened by an administrator here.',
    byInvitation: 'Accounts are opened by invitation here. Ask an administrator for one.',
    mailText: 'Enter your address. A link that opens the account is sent there.',
    mailSubmit: 'Send the link',
    sent: 'A link is on its way to {email}. It works for a limited time.',
    submit: 'Open the account',
    haveAccount: 'I have an account',
  },
};
