import { PasswordHasher } from '../../../server/identity/password-hasher.ts';

/** Does something else while a password is being hashed. */
export class BusyHasher extends PasswordHasher {
  readonly #meanwhile: () => Promise<unknown>;

  constructor(meanwhile: () => Promise<unknown>) {
    super();
    this.#meanwhile = meanwhile;
  }

  override async hash(password: string): Promise<string> {
    const hash = await super.hash(password);
    await this.#meanwhile();
    return hash;
  }
}
