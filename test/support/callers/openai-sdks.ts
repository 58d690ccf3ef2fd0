import OpenAI, { toFile } from 'openai';
import OpenAI6, { toFile as toFile6 } from 'openai-6';

export interface OpenAiSdk {
  name: string;
  OpenAI: typeof OpenAI;
  toFile: typeof toFile;
}

/** The official SDK in the versions that are in wide use, for `describe.each`. */
export const openAiSdks: readonly OpenAiSdk[] = [
  { name: 'openai 7', OpenAI, toFile },
  {
    name: 'openai 6',
    // What the tests use has not changed since; only the private parts of the classes differ.
    OpenAI: OpenAI6 as unknown as typeof OpenAI,
    toFile: toFile6,
  },
];
