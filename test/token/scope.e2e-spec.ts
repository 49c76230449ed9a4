import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IssuerConfig } from '../../src/foundation/config/config.js';
import { InstanceService } from '../../src/org/instance/instance.service.js';
import { OrgService } from '../../src/org/org.service.js';
import { Client } from '../../src/project/client/client.js';
import { ProjectService } from '../../src/project/project.service.js';
import { ContributedClaims } from '../../src/token/claims/contributed-claims.js';
import { ScopeRules } from '../../src/token/claims/scope.js';
import { Urn } from '../../src/token/claims/urn.js';
import type { ServiceUserAccount } from '../../src/user/account.js';
import { startWorld, type World } from '../support/world.js';

let world: World;
let rules: ScopeRules;
let urn: Urn;
let system: string;
beforeAll(async () => {
  world = await startWorld();
  rules = world.get(ScopeRules);
  urn = world.get(Urn);
  system = (await world.get(InstanceService).get()).systemProjectId;
});
afterAll(() => world.close());

type Row = ConstructorParameters<typeof Client>[0];
type Project = ConstructorParameters<typeof Client>[1];

function client(row: Partial<Row> = {}, project: Partial<Project> = {}): Client {
  return new Client(
    {
      kind: 'oidc',
      clientId: 'web1',
      origin: 'administrator',
      grantTypes: ['authorization_code', 'refresh_token'],
      accessTokenRoleAssertion: false,
      idTokenRoleAssertion: false,
      ...row,
    } as Row,
    {
      id: 'p',
      orgId: 'a',
      projectRoleAssertion: false,
      projectRoleCheck: false,
      hasProjectCheck: false,
      privateLabelingSetting: 'unspecified',
      roleKeys: ['reader', 'writer'],
      grantedOrgIds: [],
      ...project,
    },
    [],
  );
}

const service = { id: 's', orgId: 'a', userName: 'svc1' } as ServiceUserAccount;

describe('A client is granted', () => {
  const granted = async (requested: string, of = client(), codeFlow = true): Promise<string> =>
    (await rules.grantToClient(requested.split(' '), of, codeFlow)).join(' ');

  it('the standard scopes, each once', async () => {
    expect(await granted('openid profile email phone address offline_access openid')).toBe(
      'openid profile email phone address offline_access',
    );
  });

  it('nothing that is unknown', async () => {
    expect(
      await granted(
        'openid OPENID unknown urn: urn:service:iam: urn:service:iam:org:project:role: __proto__ urn:other:iam:user:metadata',
      ),
    ).toBe('openid');
  });

  it('offline_access only in the code flow and with the refresh grant', async () => {
    expect(await granted('openid offline_access', client(), false)).toBe('openid');
    expect(await granted('openid offline_access', client({ grantTypes: ['authorization_code'] }))).toBe('openid');
  });

  it('role scopes only for roles that its project has', async () => {
    expect(await granted('openid urn:service:iam:org:project:role:reader urn:service:iam:org:project:role:admin')).toBe(
      'openid urn:service:iam:org:project:role:reader',
    );
  });

  it('the scopes of the interface', async () => {
    const projectId = await world.cast.projectQ;
    const scopes = [
      'urn:service:iam:org:projects:roles',
      'urn:service:iam:user:metadata',
      'urn:service:iam:user:resourceowner',
      'urn:service:iam:org:project:id:service:aud',
      `urn:service:iam:org:project:id:${projectId}:aud`,
      'urn:service:iam:org:id:a',
      'urn:service:iam:org:domain:primary:orga.test',
      'urn:service:iam:org:roles:id:a',
      'urn:service:iam:org:idp:id:7',
    ].join(' ');
    expect(await granted(scopes)).toBe(scopes);
  });
});

describe('A service user is granted', () => {
  it('no refresh token, no other organization, nothing unknown', async () => {
    const requested = [
      'openid',
      'offline_access',
      'unknown',
      urn.resourceOwner,
      'urn:service:iam:org:id:a',
      'urn:service:iam:org:id:b',
      'urn:service:iam:org:domain:primary:orgb.test',
    ];
    expect(await rules.grantToService(requested, service)).toEqual([
      'openid',
      urn.resourceOwner,
      'urn:service:iam:org:id:a',
    ]);
  });
});

describe('The audience', () => {
  it('is the client, its project and each project named by a scope, each once', async () => {
    expect(await rules.audience(['openid'], 'web1', 'p')).toEqual(['web1', 'p']);
    expect(
      await rules.audience(
        ['urn:service:iam:org:project:id:q:aud', 'urn:service:iam:org:project:id:p:aud'],
        'web1',
        'p',
      ),
    ).toEqual(['web1', 'p', 'q']);
    expect(
      await rules.audience(
        ['urn:service:iam:org:project:id::aud', 'urn:service:iam:org:project:id:q'],
        'svc1',
        undefined,
      ),
    ).toEqual(['svc1']);
  });

  it('names the system project by the word of the service', async () => {
    expect(await rules.audience(['urn:service:iam:org:project:id:service:aud'], 'web1', 'p')).toEqual([
      'web1',
      'p',
      system,
    ]);
    expect(await rules.includesSystem(['web1', system])).toBe(true);
    expect(await rules.includesSystem(['web1', 'service'])).toBe(false);
    const others = new ScopeRules(
      new Urn(Object.assign(new IssuerConfig(), { urnWord: 'acme' })),
      world.get(InstanceService),
      world.get(ProjectService),
      world.get(ContributedClaims),
      world.get(OrgService),
    );
    expect(
      await others.audience(
        ['urn:acme:iam:org:project:id:acme:aud', 'urn:service:iam:org:project:id:x:aud'],
        'web1',
        'p',
      ),
    ).toEqual(['web1', 'p', system]);
  });
});

describe('Roles are named', () => {
  it('only where a scope, the client or the project asks', async () => {
    expect(await rules.roleQuestion(['openid'], client())).toBeUndefined();
    const question = { currentProjectId: 'p', projectIds: ['p'], roleKeys: undefined, orgIds: undefined };
    expect(await rules.roleQuestion(['openid'], client({ idTokenRoleAssertion: true }))).toEqual(question);
    expect(await rules.roleQuestion(['openid'], client({ accessTokenRoleAssertion: true }))).toEqual(question);
    expect(await rules.roleQuestion(['openid'], client({}, { projectRoleAssertion: true }))).toEqual(question);
    expect(await rules.roleQuestion(['urn:service:iam:org:project:role:reader'], client())).toEqual({
      ...question,
      roleKeys: ['reader'],
    });
  });

  it('of other projects only when all projects of the audience are asked for', async () => {
    const audience = 'urn:service:iam:org:project:id:q:aud';
    expect(await rules.roleQuestion([audience], client())).toBeUndefined();
    expect((await rules.roleQuestion([audience, urn.allProjectRoles], client()))?.projectIds).toEqual(['q']);
    expect((await rules.roleQuestion([audience, urn.allProjectRoles], undefined))?.projectIds).toEqual(['q']);
  });

  it('as granted by the organizations that are asked for', async () => {
    expect(
      (
        await rules.roleQuestion(
          ['urn:service:iam:org:roles:id:b', 'urn:service:iam:org:project:role:reader'],
          client(),
        )
      )?.orgIds,
    ).toEqual(['b']);
  });
});
