/** The start options of signing in: rows of the table in `config.ts`. */
import { passwordLengthFault, passwordLimits } from '../../shared/password-rule.ts';
import { optional, text } from '../lib/option-types.ts';
import { type Contradiction, defineOption, type OptionValues } from '../lib/options.ts';

export const signInOptions = {
  adminEmail: defineOption({
    variable: 'TINTYPE_ADMIN_EMAIL',
    type: optional(text('an e-mail address', (address) => /^[^\s@]+@[^\s@]+$/.test(address))),
    default: null,
    meaning:
      'Creates the first administrator, with this address, at start, if nobody has an account yet.',
  }),
  adminPassword: defineOption({
    variable: 'TINTYPE_ADMIN_PASSWORD',
    type: optional(
      text(
        `${passwordLimits.charactersMin} to ${passwordLimits.charactersMax} characters`,
        (password) => passwordLengthFault(password) === null,
      ),
    ),
    default: null,
    secret: true,
    meaning: 'Password of `TINTYPE_ADMIN_EMAIL`, to be changed after the first sign-in.',
  }),
  adminPasswordFile: defineOption({
    variable: 'TINTYPE_ADMIN_PASSWORD_FILE',
    type: optional(text('a file', (file) => file !== '')),
    default: null,
    meaning: 'File that contains that password instead.',
  }),
  oidcIssuer: defineOption({
    variable: 'TINTYPE_OIDC_ISSUER',
    type: optional(text('an https address; http only on this machine', isIssuer)),
    default: null,
    meaning: 'OpenID issuer through which people may sign in: `https://login.example.com`.',
  }),
  oidcClientId: defineOption({
    variable: 'TINTYPE_OIDC_CLIENT_ID',
    type: optional(text('a client ID', (id) => id !== '')),
    default: null,
    meaning: 'Client ID of this service at the issuer; needed with `TINTYPE_OIDC_ISSUER`.',
  }),
  oidcClientSecret: defineOption({
    variable: 'TINTYPE_OIDC_CLIENT_SECRET',
    type: optional(text('a client secret', (secret) => secret !== '')),
    default: null,
    secret: true,
    meaning: 'Secret of that client; without it, a public client.',
  }),
  oidcName: defineOption({
    variable: 'TINTYPE_OIDC_NAME',
    type: text('1 to 60 characters', (name) => name.length <= 60 && /^\P{Cc}+$/u.test(name)),
    default: 'Single sign-on',
    meaning: 'What the sign-in page calls the issuer.',
  }),
  oidcScopes: defineOption({
    variable: 'TINTYPE_OIDC_SCOPES',
    type: text('scopes between blanks, openid among them', (scopes) =>
      scopes.split(' ').includes('openid'),
    ),
    default: 'openid email profile',
    meaning: 'Scopes that the issuer is asked for.',
  }),
};

/** What cannot be meant together. */
export function signInContradictions(config: OptionValues<typeof signInOptions>): Contradiction[] {
  const { oidcIssuer, oidcClientId, adminEmail, adminPassword, adminPasswordFile } = config;
  const found: Contradiction[] = [];
  if (oidcIssuer !== null && oidcClientId === null) {
    const id = signInOptions.oidcClientId.variable;
    const issuer = signInOptions.oidcIssuer.variable;
    found.push({ variables: [id, issuer], problem: `${id} must be set, because ${issuer} is` });
  }
  const email = signInOptions.adminEmail.variable;
  const password = signInOptions.adminPassword.variable;
  const file = signInOptions.adminPasswordFile.variable;
  const variables = [email, password, file];
  if (adminPassword !== null && adminPasswordFile !== null) {
    found.push({ variables, problem: `only one of ${password} and ${file} may be set` });
  }
  if ((adminEmail !== null) !== (adminPassword !== null || adminPasswordFile !== null)) {
    found.push({ variables, problem: `${email} and its password must be set together` });
  }
  return found;
}

/** What is told over plain http, anybody on the way could make up. */
function isIssuer(url: string): boolean {
  const parsed = URL.parse(url);
  if (!parsed || parsed.search !== '' || parsed.hash !== '') return false;
  if (parsed.username !== '' || parsed.password !== '') return false;
  if (parsed.protocol === 'https:') return true;
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(parsed.hostname);
  return parsed.protocol === 'http:' && isHere;
}
