import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IdpService } from '../../src/idp/idp.service.js';
import { IdpSecrets } from '../../src/idp/idp-secrets.js';
import { OUTBOUND } from '../idp/external.js';
import { AdminApi, callerWith } from '../support/admin-api.js';
import type { TestOrg } from '../support/builders.js';
import { CODE_HOST_CLIENT, CODE_HOST_SECRET, type CodeHost } from '../support/code-host.js';
import { startWorld, type World } from '../support/world.js';
import { type Added, CodeHostWorld, hostile, SETTING_SECRET } from './code-host-world.js';

let kinds: CodeHostWorld;
let code: CodeHost;
let world: World;
let admin: AdminApi;

beforeAll(async () => {
  kinds = await CodeHostWorld.start();
  ({ code, world, admin } = kinds);
});
afterAll(() => kinds.close());

describe('An export with a provider of an extension', () => {
  interface Entry {
    readonly idpId: string;
    readonly idp: { readonly kind: string; readonly clientSecret?: string; readonly settings: object };
  }
  const exported = async (orgId: string, withPasswords: boolean) =>
    admin.call<{ orgs: [{ orgId: string; extensionIdps: Entry[] }] }>('POST', '/admin/v1/export', {
      orgIds: [orgId],
      withPasswords,
    });
  let source: TestOrg;
  let id: string;

  beforeAll(async () => {
    source = await world.add.org('moving.test');
    const { api } = await callerWith(world, source, ['ORG_OWNER']);
    id = (await api.call<Added>('POST', '/management/v1/idps/extension', kinds.body({ name: 'Moving' }))).id;
  });

  it('has its settings, and secrets only where passwords are exported', async () => {
    const { orgs } = await exported(source.id, true);
    expect(orgs[0].extensionIdps).toEqual([
      {
        idpId: id,
        state: 'IDP_STATE_ACTIVE',
        idp: {
          name: 'Moving',
          kind: 'ext:host',
          clientId: CODE_HOST_CLIENT,
          clientSecret: CODE_HOST_SECRET,
          settings: { base: code.base, signingSecret: SETTING_SECRET, teams: ['a'], isStrict: false, depth: 2 },
        },
      },
    ]);
    const without = await exported(source.id, false);
    expect(world.secretsIn(JSON.stringify(without))).toEqual([]);
    expect(without.orgs[0].extensionIdps[0]!.idp.settings).toMatchObject({ base: code.base, depth: 2 });
  });

  it('is imported with its secrets where the kind is known, and counts as the same if it is there', async () => {
    const [{ extensionIdps }] = (await exported(source.id, true)).orgs;
    const moved = {
      orgId: 'moved-org',
      org: { name: 'Moved' },
      extensionIdps: extensionIdps.map((entry) => ({ ...entry, idpId: '777000111' })),
    };
    for (let time = 0; time < 2; time += 1) {
      const { success } = await admin.call<{ success: { orgs: Array<{ extensionIdps: string[] }> } }>(
        'POST',
        '/admin/v1/import',
        { dataOrgs: { orgs: [moved] } },
      );
      expect(success.orgs[0]!.extensionIdps).toEqual(['777000111']);
    }
    const idp = await world.get(IdpService).get(['moved-org'], '777000111');
    expect(world.get(IdpSecrets).openSettings(idp)).toEqual({ signingSecret: SETTING_SECRET });
    expect(world.get(IdpSecrets).openClientSecret(idp)).toBe(CODE_HOST_SECRET);
    expect(idp).toMatchObject({
      type: 'ext:host',
      settings: { base: code.base, teams: ['a'], isStrict: false, depth: 2 },
    });
  });

  it('is refused where settings do not fit or no extension has the kind, and names the entry', async () => {
    const [first] = (await exported(source.id, true)).orgs;
    const importing = (entry: object, caller = admin) =>
      caller.verdict('POST', '/admin/v1/import', {
        dataOrgs: {
          orgs: [{ orgId: 'other-org', org: { name: 'Other' }, extensionIdps: [{ idpId: '777000112', idp: entry }] }],
        },
      });
    const { idp } = first.extensionIdps[0]!;
    expect(await importing({ ...idp, kind: 'ext:elsewhere' })).toBe('400 orgs[0].extensionIdps[0].idp.kind');
    expect(await importing({ ...idp, settings: { depth: 10 } })).toBe(
      '400 orgs[0].extensionIdps[0].idp.settings.base, orgs[0].extensionIdps[0].idp.settings.depth',
    );
    const bare = await startWorld({ replicaOf: world, extensions: [hostile], env: OUTBOUND });
    try {
      expect(await importing(idp, new AdminApi(bare.origin, admin.token))).toBe(
        '400 orgs[0].extensionIdps[0].idp.kind',
      );
    } finally {
      await bare.close();
    }
  });
});
