import { listUpstreamKeys, updateUpstreamKey } from '../catalog/upstream-key-store.ts';
import { listUpstreams, updateUpstream } from '../catalog/upstream-store.ts';
import type { Db, Trx } from '../db/db.ts';
import { listAuthenticators, resealAuthenticator } from '../identity/authenticator-store.ts';
import { must } from '../lib/assert.ts';
import { OperatorError } from '../lib/operator-error.ts';
import type { SecretBox } from '../lib/secret-box.ts';

/** A secret that the database holds sealed. */
export interface StoredSecret {
  /** What messages call it: `the key studio/main`. */
  name: string;
  sealed: string;
  /** The row it was sealed for. */
  rowId: string;
  /** Puts another sealing in its place. */
  replace(trx: Trx, sealed: string): Promise<void>;
}

/** All there are: a secret that is missing here is lost when the secret key is changed. */
export async function listStoredSecrets(db: Db): Promise<readonly StoredSecret[]> {
  const upstreams = await listUpstreams(db);
  const names = new Map(upstreams.map(({ id, name }) => [id, name]));
  const keys = await listUpstreamKeys(db, { upstreamId: null });
  const authenticators = await listAuthenticators(db);
  return [
    ...keys.map(({ id, name, upstreamId, sealedCredential }) => ({
      name: `the key ${must(names.get(upstreamId), 'the upstream of a key')}/${name}`,
      sealed: sealedCredential,
      rowId: upstreamId,
      replace: (trx: Trx, sealed: string) =>
        updateUpstreamKey(trx, id, { sealedCredential: sealed }),
    })),
    ...upstreams.flatMap(({ id, name, sealedProxy }) =>
      sealedProxy === null
        ? []
        : {
            name: `the proxy of ${name}`,
            sealed: sealedProxy,
            rowId: id,
            replace: (trx: Trx, sealed: string) => updateUpstream(trx, id, { sealedProxy: sealed }),
          },
    ),
    ...authenticators.map(({ userId, sealedSecret }) => ({
      name: `the authenticator of ${userId}`,
      sealed: sealedSecret,
      rowId: userId,
      replace: (trx: Trx, sealed: string) => resealAuthenticator(trx, userId, sealed),
    })),
  ];
}

/** A command started with another data directory would seal with a key that the service lacks. */
export async function refuseSecondKey(db: Db, secretBox: SecretBox): Promise<void> {
  const secrets = await listStoredSecrets(db);
  const foreign = secrets.find(({ sealed }) => !secretBox.hasSealed(sealed));
  if (!foreign) return;
  throw new OperatorError(
    `${foreign.name} was sealed with another secret key than the one at hand: start with that key, ` +
      'or seal what is stored anew with tintype upstreams rekey --old-key-file <file>',
  );
}
