import { X509Certificate } from 'node:crypto';
import { channel } from 'node:diagnostics_channel';
import { SettingsService } from '@simplewebauthn/server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SoftwarePasskey } from '../../test/support/console/software-passkey.ts';
import { askForPasskey, askToRegister, checkRegistration } from './passkey-ceremony.ts';

const site = { origin: 'https://images.example.com' };
const transports = ['internal'];
const known = [
  {
    id: 'a2V5',
    userId: 'usr_1',
    name: 'Phone',
    publicKey: '',
    counter: 0,
    transports,
    createdAt: 0,
    lastUsedAt: null,
  },
];
const user = { id: 'usr_1', email: 'ann@example.com', name: 'Ann' };

/** One that the library believes, as it does those of three makers by itself. */
const maker = `-----BEGIN CERTIFICATE-----
MIIByTCCAW+gAwIBAgIUHUU6lAJ5eOwXMTWZo/2tND+y7jswCgYIKoZIzj0EAwIw
OTELMAkGA1UEBhMCVVMxDjAMBgNVBAoMBU1ha2VyMRowGAYDVQQDDBFNYWtlcnMg
b2YgZGV2aWNlczAgFw0yNjExMjYxODM2MjRaGA8yMTI2MTEwMjE4MzYyNFowOTEL
MAkGA1UEBhMCVVMxDjAMBgNVBAoMBU1ha2VyMRowGAYDVQQDDBFNYWtlcnMgb2Yg
ZGV2aWNlczBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABOtODbnmB/LtIQWSJ5uh
soFg4NZ8HpOa97UQ3U+TXhlVSJUjLvxp6VntziuVbY0jluGZI1kgFb5SdDqlLHfo
4WSjUzBRMB0GA1UdDgQWBBTt2trtzwzLYsJihlx0Jwv0+CPCsDAfBgNVHSMEGDAW
gBTt2trtzwzLYsJihlx0Jwv0+CPCsDAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49
BAMCA0gAMEUCIFrpBH7xlaFHGI0WCnLVSG0S79mx4b/TGhB6eoOhsig6AiEAzRV8
bV6Sd5FxjNpaYaDMnwAi09w0LjndRhr8AHrxxag=
-----END CERTIFICATE-----`;
/** It names \`http://lists.invalid/revoked.crl\` as the list of those that were taken back. */
const device = `-----BEGIN CERTIFICATE-----
MIICFDCCAbqgAwIBAgIUFkqQc4YKa6VQ7DTdx18SEmSi5SQwCgYIKoZIzj0EAwIw
OTELMAkGA1UEBhMCVVMxDjAMBgNVBAoMBU1ha2VyMRowGAYDVQQDDBFNYWtlcnMg
b2YgZGV2aWNlczAgFw0yNjExMjYxODM2MjRaGA8yMTI2MTEwMjE4MzYyNFowUjEL
MAkGA1UEBhMCVVMxDjAMBgNVBAoMBU1ha2VyMSIwIAYDVQQLDBlBdXRoZW50aWNh
dG9yIEF0dGVzdGF0aW9uMQ8wDQYDVQQDDAZEZXZpY2UwWTATBgcqhkjOPQIBBggq
hkjOPQMBBwNCAAQysyu2f+ZTHI83jBg6i5RNG6EN1kDWaHC4iD0GkUkF4b/R5z1Z
3t6AlZG0FCiqoFMdMO7VohW+vGeZ9+Gd0Xf0o4GEMIGBMAwGA1UdEwEB/wQCMAAw
MQYDVR0fBCowKDAmoCSgIoYgaHR0cDovL2xpc3RzLmludmFsaWQvcmV2b2tlZC5j
cmwwHQYDVR0OBBYEFPqvFH+bdcGF6kJC81kODNTs6XIPMB8GA1UdIwQYMBaAFO3a
2u3PDMtiwmKGXHQnC/T4I8KwMAoGCCqGSM49BAMCA0gAMEUCIQDpdG5kmmxl5b5P
3Omb41wktF9AdZPmlzBUVAMk5dUJcwIgHPpqNkRsrRMbUCzDUoVZ/Tl7uGyt/X4q
CA4sDaIEqVw=
-----END CERTIFICATE-----`;

/** What the process asks of others, as Node tells it. */
const asked: string[] = [];
const requests = channel('undici:request:create');
const note = (message: unknown) => {
  // The form that Node documents.
  asked.push((message as { request: { origin: string } }).request.origin);
};

beforeEach(() => {
  asked.length = 0;
  requests.subscribe(note);
  SettingsService.setRootCertificates({ identifier: 'packed', certificates: [maker] });
});
afterEach(() => {
  requests.unsubscribe(note);
  SettingsService.setRootCertificates({ identifier: 'packed', certificates: [] });
});

test('a new passkey makes the service ask nobody, whatever its device says of its maker', async () => {
  const question = await askToRegister({ site, installation: 'Images', user, known: [] });
  const madeBy = [new X509Certificate(device).raw];
  // What the browser answers has the form of its standard.
  const answer = new SoftwarePasskey().register(question, { ...site, madeBy }) as Parameters<
    typeof checkRegistration
  >[0]['answer'];
  const { challenge } = question;
  const passkey = await checkRegistration({ site, challenge, answer });
  expect(asked).toEqual([]);
  expect(passkey).toMatchObject({ id: answer.id, counter: 0 });
});

test('a device is asked to see who holds it, and to make no second passkey beside one that it has', async () => {
  const question = await askToRegister({ site, installation: 'Images', user, known });
  expect(question).toMatchObject({
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: [{ id: 'a2V5', transports }],
  });
  expect(await askForPasskey(site, known)).toMatchObject({
    userVerification: 'required',
    allowCredentials: [{ id: 'a2V5', transports }],
  });
});
