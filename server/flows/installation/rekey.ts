import { lockUpstreams } from '../../catalog/upstream-store.ts';
import { OperatorError } from '../../lib/operator-error.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { type Admin, adminChange } from '../admin-change.ts';
import { listStoredSecrets, type StoredSecret } from '../stored-secrets.ts';

export interface MasterKeys {
  /** Sealed what is stored. */
  old: SecretBox;
  /** Is to seal it from now on. */
  present: SecretBox;
  /** Keeps the present one, which may have been made just now: called once everything opens. */
  keepPresent?: () => void;
}

export interface Rekeyed {
  /** Secrets that were sealed with the old secret key. */
  resealed: number;
  /** Those that the present one had sealed already. */
  kept: number;
}

/**
 * Seals every stored secret anew with the present secret key. All of them or none: when one opens
 * with neither key, nothing is changed and its name is said. May be repeated.
 */
export function rekey(admin: Admin, keys: MasterKeys): Promise<Rekeyed> {
  const { old, present, keepPresent } = keys;
  return adminChange(admin, async (trx) => {
    // A key that is being replaced right now must not get its old credential back.
    await lockUpstreams(trx, null);
    const secrets = await listStoredSecrets(trx);
    const { opened, closed } = openAll(secrets, keys);
    if (closed.length > 0) {
      throw new OperatorError(
        `nothing was changed, because these open with neither secret key: ${closed.join(', ')}; ` +
          'give the key that sealed them, or remove them first',
      );
    }
    keepPresent?.();
    const due = opened.filter(({ secret }) => !present.hasSealed(secret.sealed));
    for (const { secret, text } of due) {
      await secret.replace(trx, present.seal(text, secret.rowId));
    }
    const result = { resealed: due.length, kept: secrets.length - due.length };
    if (due.length === 0) return { result, entry: null };
    return {
      result,
      entry: {
        action: 'installation.rekey',
        subject: 'installation',
        detail: { ...result, from_key: old.keyId, to_key: present.keyId },
        // Processes that still have the old key hold everything opened in memory. Telling them to
        // read it again would stop them before they can be started with the new one.
        topic: null,
      },
    };
  });
}

interface OpenedSecret {
  secret: StoredSecret;
  text: string;
}

/** Those that are sealed with the present key too, so that all are known to open with it afterwards. */
function openAll(
  secrets: readonly StoredSecret[],
  { old, present }: MasterKeys,
): { opened: readonly OpenedSecret[]; closed: readonly string[] } {
  const opened: OpenedSecret[] = [];
  const closed: string[] = [];
  for (const secret of secrets) {
    const box = present.hasSealed(secret.sealed) ? present : old;
    try {
      opened.push({ secret, text: box.open(secret.sealed, secret.rowId) });
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      closed.push(secret.name);
    }
  }
  return { opened, closed };
}
