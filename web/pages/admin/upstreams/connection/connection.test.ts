import { describe, expect, it } from 'vitest';
import type { UpstreamDetail } from '../../../../api/admin-upstreams.ts';
import { type Connection, sendsKeysElsewhere } from './connection.ts';
import { draftOf, readFields } from './settings-schema.ts';

const ownUrl = 'https://tokens.example/of-the-vendor';
const fields = readFields({
  properties: { tokenUrl: { type: 'string', default: ownUrl }, words: { type: 'string' } },
});
const key: UpstreamDetail['key_list'][number] = {
  name: 'main',
  enabled: true,
  disabled_reason: null,
  last_four: null,
  created_at: '2026-01-01T00:00:00.000Z',
};

interface Stored {
  base_url?: string | null;
  settings?: Record<string, unknown>;
  keys?: number;
}

/** Whether the form asks for the credential when these are typed. */
function asks(
  { base_url = 'https://a.example/v1', settings = {}, keys = 1 }: Stored,
  { settings: typed, ...others }: Partial<Connection>,
): boolean {
  const upstream = { base_url, settings, key_list: Array.from({ length: keys }, () => key) };
  const connection: Connection = {
    name: 'studio',
    base_url: base_url ?? '',
    proxy: '',
    isDirect: false,
    credential: '',
    priority: '0',
    weight: '1',
    ...others,
    settings: { ...draftOf(fields, settings), ...typed },
  };
  return sendsKeysElsewhere(connection, upstream, fields);
}

const elsewhere = 'https://b.example/tokens';

describe('the credential is asked for again', () => {
  it.each<[string, Stored, Partial<Connection>]>([
    ['where the base URL leads to another host', {}, { base_url: 'https://b.example/v1' }],
    ['where there is one for the first time', { base_url: null }, { base_url: elsewhere }],
    ["where it is emptied, for the vendor's own", {}, { base_url: ' ' }],
    ['where an address among the settings does', {}, { settings: { tokenUrl: elsewhere } }],
    ['where a proxy could read it', { base_url: 'http://a' }, { proxy: 'http://p:3128' }],
  ])('%s', (_where, stored, typed) => {
    expect(asks(stored, typed)).toBe(true);
    expect(asks({ ...stored, keys: 0 }, typed)).toBe(false);
  });

  it.each<[string, Stored, Partial<Connection>]>([
    ['nothing was changed', {}, {}],
    ['the path alone is another', {}, { base_url: 'https://a.example/v2' }],
    ['the address is not finished', {}, { base_url: 'https:' }],
    ['the setting was that before', { settings: { tokenUrl: elsewhere } }, {}],
    [
      'it is as by default again',
      { settings: { tokenUrl: elsewhere } },
      { settings: { tokenUrl: ownUrl } },
    ],
    ['a setting is no address', {}, { settings: { words: 'b.example' } }],
    ['there is to be no proxy', { base_url: 'http://a' }, { proxy: 'http://p', isDirect: true }],
  ])('not where %s', (_where, stored, typed) => {
    expect(asks(stored, typed)).toBe(false);
  });
});
