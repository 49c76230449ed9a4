import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FixtureText } from '../../src/extension/test-idp/fixture-text.js';
import type { Idp } from '../../src/extension/test-idp/idp.js';
import { complaintOf, startStage, startStageWith } from './stage.js';

let idp: Idp;

beforeAll(async () => {
  idp = await startStage({
    organizations: {
      acme: { settings: { loginPolicy: { allowUsernamePassword: true, forceMfa: false, allowRegister: false } } },
      beta: { name: 'Beta Ltd', domain: 'beta.example' },
    },
    projects: { main: { roles: ['admin'] }, other: { organization: 'beta', settings: { projectRoleCheck: true } } },
    applications: { web: {}, beta: { project: 'other', settings: { idTokenLifetime: '600s' } } },
    users: { alice: { managerRoles: ['ORG_OWNER'], phone: '+41791234567' }, beth: { organization: 'beta' } },
  });
});
afterAll(() => idp.stop());

describe('A fixture', () => {
  it('has organizations with policies and domains of their own', async () => {
    expect(idp.users['beth']).toMatchObject({ loginName: 'beth@beta.example', organizationId: 'beta' });
    const answer = await fetch(`${idp.admin.url}/management/v1/policies/login`, {
      headers: { Authorization: `Bearer ${idp.admin.token}`, 'x-service-orgid': 'acme' },
    });
    expect(await answer.json()).toMatchObject({ policy: { allowRegister: false, isDefault: false } });
  });

  it('has settings by the names of the administrative API, which are obeyed', async () => {
    expect(await complaintOf(idp.signIn('beth', { application: 'beta' }))).toContain(
      'The user may not use this application.',
    ); // without a role
    const { idToken } = await idp.signIn('alice', { application: 'web' });
    expect(idToken).toBeDefined();
  });

  it('that the administrative API refuses is told by its own members, all mistakes at once', async () => {
    const complaint = await complaintOf(
      idp.add({
        users: {
          bad: { email: 'no address', locale: 'a language that is too long' },
          manager: { managerRoles: ['KING'] },
        },
        applications: { odd: { settings: { accessTokenType: 'PAPER', colour: 'blue' } } },
      }),
    );
    for (const place of [
      'users.bad.locale',
      'users.manager.managerRoles',
      'applications.odd.settings.accessTokenType',
      'applications.odd.settings.colour',
    ])
      expect(complaint).toContain(`fixture: ${place}`);
    expect(await complaintOf(idp.add({ users: { bad: { email: 'no address' } } }))).toContain(
      'fixture: users.bad.email',
    );
    expect(idp.users).not.toHaveProperty('bad');
    expect(await complaintOf(idp.add({ users: { alice: {} } }))).toContain('fixture: users.alice');
  });

  it('that is written in a file is told by its lines', async () => {
    const text = 'applications:\n  web:\n    redirectUris:\n      - http://localhost/ok\n      - "not a uri"\n';
    const complaint = await complaintOf(startStageWith(FixtureText.read(text, 'people.yaml')));
    expect(complaint).toMatch(/people\.yaml:5: applications\.web\.redirectUris\.1 /);
  });
});
