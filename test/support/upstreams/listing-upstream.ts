import { z } from 'zod';
import type { UpstreamAccess } from '../../../server/flows/upstreams/ask-upstream.ts';
import { ServiceError } from '../../../server/lib/service-error.ts';
import type { AdapterKind, Need, UpstreamConfig } from '../../../server/upstreams/adapter-kind.ts';
import type { Adapter, ListedModel, UpstreamContext } from '../../../server/upstreams/upstream.ts';
import { testAccess } from '../console/test-admin.ts';

/** An upstream that only lists models, as a test tells it to. */
export interface ListingUpstream {
  access: UpstreamAccess;
  /** What it lists from now on. */
  lists(...upstreamModels: string[]): void;
  /** Takes the place of the list. */
  answersWith(answer: (context: UpstreamContext) => Promise<readonly ListedModel[]>): void;
  /** Every configuration for which an adapter was built, in order. */
  readonly configs: readonly UpstreamConfig[];
  /** Adapters that were built and not yet closed. */
  readonly open: number;
}

export const listingKind = 'listing';

interface Options {
  credential?: Need;
}

/** Needs a base URL, and a credential or not; refuses the setting `wrong`. */
export function listingUpstream({ credential = 'needed' }: Options = {}): ListingUpstream {
  let answer: (context: UpstreamContext) => Promise<readonly ListedModel[]> = async () => [];
  let open = 0;
  const configs: UpstreamConfig[] = [];
  const create = (config: UpstreamConfig): Adapter => {
    if ('wrong' in config.settings) {
      throw new ServiceError('invalid_request_error', 'There is no setting wrong.');
    }
    configs.push(config);
    open++;
    return {
      capabilities: unused,
      run: unused,
      listModels: (context) => answer(context),
      close: async () => {
        open--;
      },
    };
  };
  const kind: AdapterKind = {
    kind: listingKind,
    title: 'Listing',
    description: 'lists models',
    baseUrl: 'needed',
    credential,
    credentialForm: 'anything',
    settings: z.looseObject({}),
    presets: [],
    create,
  };
  return {
    access: { ...testAccess(), kinds: new Map([[listingKind, kind]]) },
    lists: (...upstreamModels) => {
      answer = async () =>
        upstreamModels.map((upstreamModel) => ({ upstreamModel, description: null }));
    },
    answersWith: (next) => {
      answer = next;
    },
    configs,
    get open() {
      return open;
    },
  };
}

function unused(): never {
  throw new Error('this upstream only lists models');
}
