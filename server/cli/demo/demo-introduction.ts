import type { App } from '../../app.ts';
import type { Config } from '../../config.ts';
import { must } from '../../lib/assert.ts';
import { findUsage } from '../../usage/usage-list.ts';
import { localAddress } from '../local-address.ts';
import type { DemoPicture } from './demo-picture.ts';

/** By which the console is entered. */
export interface DemoSignIn {
  /** The administrator's first. */
  emails: readonly string[];
  password: string;
}

export interface DemoFacts {
  app: App;
  config: Config;
  userId: string;
  apiKey: string;
  signIn: DemoSignIn;
  picture: DemoPicture;
  /** Where the picture was saved. */
  file: string;
}

/** What the demo tells a newcomer: the picture, what it cost, and how to make the next one. */
export async function demoIntroduction(facts: DemoFacts): Promise<string> {
  const { app, apiKey, picture, signIn } = facts;
  const address = localAddress(app.baseUrl);
  const { cost, balance, currency, traceId } = picture;
  const usage = must(await findUsage(app.database, traceId), 'the usage record of the picture');
  return `
  Picture    ${facts.file}
  Cost       ${cost} ${currency}
  Balance    ${balance} ${currency}
  Trace ID   ${traceId}
  Usage      ${usage.model} · ${usage.operation} · ${usage.images} image · ${cost} ${currency} · ${usage.status}

  Console    ${address}
  Sign in    ${signIn.emails.join(' or ')}
  Password   ${signIn.password}

  Base URL   ${address}/v1
  API key    ${apiKey}

Any OpenAI client works with these two:

  export OPENAI_BASE_URL=${address}/v1
  export OPENAI_API_KEY=${apiKey}

By hand:

  # generate
  curl -s ${address}/v1/images/generations \\
    -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/json' \\
    -d '{"model":"gen-image-2.5-flare","prompt":"a paper boat at dawn"}' \\
    | ${saveJson} > boat.png

  # edit
  curl -s ${address}/v1/images/edits \\
    -H 'Authorization: Bearer ${apiKey}' \\
    -F model=gen-image-2.5-flare -F prompt='add a full moon' -F image=@boat.png \\
    | ${saveJson} > moon.png

  # stream, with partial images
  curl -sN ${address}/v1/images/generations \\
    -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/json' \\
    -d '{"model":"gen-image-2.5-sunburst","prompt":"a paper boat at dawn","stream":true,"partial_images":2}' \\
    | cut -c 1-100

The same data on the command line, also while this runs:

  npx tintype usage --data-dir ${facts.config.dataDir}

Serving on ${address} until Ctrl-C. The next start gives another password and API key.
`;
}

const saveJson = `node -pe 'JSON.parse(require("fs").readFileSync(0)).data[0].b64_json' | base64 -d`;
