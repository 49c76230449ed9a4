import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { protoFilesOf } from '../../src/process/description/proto-files.js';
import { callerWith } from '../support/admin-api.js';
import type { TestOrg } from '../support/builders.js';
import { send } from '../support/http.js';
import { startWorld, type World } from '../support/world.js';
import { GrpcClient, methodsOf } from './grpc-clients.js';

describe('URN_WORD', () => {
  let world: World;
  let org: TestOrg;
  let other: TestOrg;
  let token: Record<string, string>;
  let acme: World;
  let another: GrpcClient;
  let folder: string;

  beforeAll(async () => {
    world = await startWorld();
    [org, other] = [await world.add.org(), await world.add.org()];
    const { api } = await callerWith(world, org, ['ORG_OWNER', 'IAM_OWNER']);
    token = { authorization: `Bearer ${api.token}` };
    acme = await startWorld({ replicaOf: world, env: { URN_WORD: 'acme' } });
    another = new GrpcClient(acme.origin);
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-proto-'));
    for (const [path, text] of await protoFilesOf('acme')) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
  });
  afterAll(async () => {
    another.close();
    await acme.close();
    await world.close();
    await rm(folder, { recursive: true });
  });

  const methodsOfAcme = (service: string): ReturnType<typeof methodsOf> =>
    methodsOf(`acme.${service}`, { folder, word: 'acme' });

  it('names the packages, the metadata and the details, so that clients of that word work unchanged', async () => {
    const ours = methodsOf('service.management.v1.ManagementService');
    const theirs = methodsOfAcme('management.v1.ManagementService');
    expect(await another.call(theirs['GetMyOrg']!, {}, { ...token, 'x-acme-orgid': other.id })).toMatchObject({
      code: 0,
      answer: { org: { id: other.id } },
    });
    expect(await another.call(theirs['AddProject']!, { name: 'Acme' }, token)).toMatchObject({
      code: 0,
      answer: { details: { resourceOwner: org.id } },
    });
    expect(methodsOfAcme('auth.v1.AuthService')).toHaveProperty('ListMyAcmePermissions');
    expect(await another.call(theirs['AddProject']!, { name: '' }, token)).toMatchObject({ code: 3, fields: ['name'] });
    expect(await another.call(ours['GetMyOrg']!, {}, token)).toMatchObject({ code: 12 });
    const reflection = methodsOf('grpc.reflection.v1.ServerReflection')['ServerReflectionInfo']!;
    const [{ listServicesResponse }] = (await another.ask(reflection, { listServices: '' })) as [
      { listServicesResponse: { service: ReadonlyArray<{ name: string }> } },
    ];
    expect(listServicesResponse.service.map(({ name }) => name)).toContain('acme.admin.v1.AdminService');
  });

  it('names values as clients of that word know them, in exported documents too, which are imported from either name', async () => {
    const { ExportData, ImportData } = methodsOfAcme('admin.v1.AdminService');
    const oidcIdps = [
      {
        idpId: 'styled',
        idp: {
          name: 'Styled',
          stylingType: 'STYLING_TYPE_GOOGLE',
          clientId: 'c',
          clientSecret: 's',
          issuer: 'https://idp.example.com',
          scopes: ['openid'],
        },
      },
    ];
    const moved = { orgs: [{ orgId: 'styled-org', org: { name: 'Styled' }, oidcIdps }] };
    expect(await another.call(ImportData!, { dataOrgs: moved }, token)).toMatchObject({ code: 0 });
    const styled = (stylingType: string): object => ({ orgs: [{ oidcIdps: [{ idp: { stylingType } }] }] });
    const asked = { orgIds: ['styled-org'] };
    expect(await another.call(ExportData!, asked, token)).toMatchObject({
      code: 0,
      answer: styled('STYLING_TYPE_GOOGLE'),
    });
    const inJson = async (place: World): Promise<object> => {
      const headers = { Authorization: token['authorization']!, 'Content-Type': 'application/json' };
      return (
        await send(place.origin, { method: 'POST', path: '/admin/v1/export', headers, body: JSON.stringify(asked) })
      ).json();
    };
    expect(await inJson(acme)).toMatchObject(styled('STYLING_TYPE_GOOGLE'));
    expect(await inJson(world)).toMatchObject(styled('STYLING_TYPE_VENDOR'));
  });
});
