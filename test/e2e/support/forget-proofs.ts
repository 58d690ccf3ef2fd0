import type { ConsoleBench } from './console.ts';

/** As if the sign-in were long ago. */
export async function forgetProofs({ app }: ConsoleBench, userId: string): Promise<void> {
  await app.database.transaction((trx) =>
    trx.kysely
      .updateTable('sessions')
      .set({ proven_at: 0 })
      .where('user_id', '=', userId)
      .execute(),
  );
}
