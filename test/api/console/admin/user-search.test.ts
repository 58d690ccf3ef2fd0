import { beforeAll, expect, it } from 'vitest';
import { adminUsersSchema } from '../../../../shared/console/admin-users.ts';
import { describeApi } from '../../../support/callers/api.ts';
import { type AdminWorld, enterAsAdmin, sent } from '../../../support/console/admin-world.ts';
import { addMember } from '../../../support/console/visitor.ts';

describeApi((api) => {
  let world: AdminWorld;
  beforeAll(async () => {
    world = await enterAsAdmin(api);
  });

  const ask = (method: string, path: string, body?: object) =>
    sent(world, method, { path, ...(body && { body }) });
  const found = async (q: string) => {
    const { body } = await ask('GET', `/admin/users?q=${encodeURIComponent(q)}`);
    return adminUsersSchema.parse(body).users.map((user) => user.id);
  };

  it('finds users by a part of the address or name, whatever its case', async () => {
    const { id, email } = await addMember(api.app);
    await ask('PATCH', `/admin/users/${id}`, { name: 'Zoe Özlem 100%_sure, Ирина' });
    const parts = [email.slice(0, -3).toUpperCase(), 'zoe ö', 'ÖZLEM 100%_S', 'ирина', id];
    for (const q of parts) expect(await found(q)).toContain(id);
    expect(await found('özlem 100__s')).toEqual([]);
  });

  it('finds whose an API key is by how it ends, also once it is revoked', async () => {
    const { id, apiKey, apiKeyId } = await api.app.addUser();
    const ending = apiKey.slice(-4);
    expect(await found(apiKey)).toEqual([id]);
    expect(await found(`sk-tin-…${ending}`)).toEqual([id]);
    expect(await found(`…${ending}x`)).toEqual([]);
    expect(await ask('DELETE', `/admin/users/${id}/keys/${apiKeyId}`)).toMatchObject({
      status: 200,
    });
    expect(await found(`...${ending}`)).toEqual([id]);
  });
});
