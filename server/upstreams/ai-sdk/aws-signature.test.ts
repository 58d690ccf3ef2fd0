import { expect, it } from 'vitest';
import { signAws } from './aws-signature.ts';

/** The credentials and the time of Amazon's own examples. */
const access = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  sessionToken: null,
};
const nowMs = Date.UTC(2015, 7, 30, 12, 36);

it('gives the signature of the example in Amazon’s guide', () => {
  const signed = signAws(
    {
      method: 'GET',
      url: new URL('https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08'),
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
      body: [],
    },
    access,
    { region: 'us-east-1', service: 'iam', nowMs },
  );
  expect(signed['authorization']).toBe(
    'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request, SignedHeaders=content-type;host;x-amz-date, Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7',
  );
  expect(signed['x-amz-date']).toBe('20150830T123600Z');
});

it('signs a body in pieces as if it were in one', () => {
  const signatureOf = (...body: string[]) =>
    signAws(
      {
        method: 'POST',
        url: new URL('https://bedrock-runtime.us-east-1.amazonaws.com/model/a%3A0/invoke'),
        body: body.map((piece) => Buffer.from(piece)),
      },
      access,
      { region: 'us-east-1', service: 'bedrock', nowMs },
    )['authorization'];
  expect(signatureOf('{"a":', '1}')).toBe(signatureOf('{"a":1}'));
  expect(signatureOf('{"a":1}')).not.toBe(signatureOf('{"a":2}'));
});
