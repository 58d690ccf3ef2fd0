/** The start options of fetching reference images: rows of the table in `config.ts`. */
import { duration, list } from '../lib/option-types.ts';
import { defineOption } from '../lib/options.ts';
import { isAddressException } from '../lib/outgoing/public-address.ts';

export const imageFetchOptions = {
  imageFetchTimeoutMs: defineOption({
    variable: 'TINTYPE_IMAGE_FETCH_TIMEOUT',
    type: duration({ min: '100ms', max: '2m' }),
    default: 10_000,
    meaning: 'Time to fetch a reference image that was given as a URL.',
  }),
  imageFetchPrivateHosts: defineOption({
    variable: 'TINTYPE_IMAGE_FETCH_PRIVATE_HOSTS',
    type: list('host names, addresses or ranges between commas', isAddressException),
    default: [],
    meaning:
      'Hosts in private networks from which reference images may be fetched. A name that only `/etc/hosts` knows must be among them.',
  }),
};
