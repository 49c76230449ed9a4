import { describe, expect, it } from '@jest/globals';
import { emptyCast } from './cast.js';
import { DEFAULT_FIXTURE, type Fixture } from './fixture.js';
import { FixtureDraft } from './fixture-draft.js';
import { FixtureError } from './fixture-mistake.js';
import { shapeMistakes } from './fixture-shape.js';
import { FixtureText } from './fixture-text.js';

const YAML = `
# who there is
users:
  alice:
    email: alice@acme.test
    pasword: secret
  bob:
    roles: [buyer, 7]
applications:
  web: { kind: webb }
`;

function mistakesIn(text: string, name = 'fixture.yaml'): readonly string[] {
  const fixture = FixtureText.read(text, name);
  return fixture.toError(shapeMistakes(fixture.content)).mistakes;
}

describe('A fixture', () => {
  it('names the line of each mistake, and what was meant', () => {
    expect(mistakesIn(YAML)).toEqual([
      'fixture.yaml:6: users.alice.pasword is not known: did you mean password?',
      'fixture.yaml:8: users.bob.roles.1 must be a text',
      'fixture.yaml:10: applications.web.kind must be one of web, browser, native, device, api',
    ]);
  });

  it('may be JSON, whose lines are named as well', () => {
    const text = JSON.stringify({ users: { alice: { verified: 'yes' } } }, undefined, 2);
    expect(mistakesIn(text, 'fixture.json')).toEqual(['fixture.json:4: users.alice.verified must be true or false']);
  });

  it('that is no YAML says where', () => {
    expect(() => FixtureText.read('users: [', 'a.yaml')).toThrow(FixtureError);
    expect(() => FixtureText.read('users:\n  a: 1\n b: 2\n', 'a.yaml')).toThrow(/a\.yaml:3: /);
  });

  it('may leave out everything: a user by its name alone has all that it needs', () => {
    expect(mistakesIn('users:\n  alice:\n')).toEqual([]);
    const cast = emptyCast();
    const { document } = new FixtureDraft({ users: { alice: {} } }, cast);
    expect(cast.users.get('alice')).toMatchObject({
      id: 'alice',
      loginName: 'alice@acme.test',
      email: 'alice@acme.test',
    });
    expect(document.orgs).toEqual([expect.objectContaining({ orgId: 'acme', org: { name: 'Acme' } })]);
  });

  it('of nothing is well-formed, and so is the default one', () => {
    expect(mistakesIn('')).toEqual([]);
    expect(shapeMistakes(DEFAULT_FIXTURE)).toEqual([]);
  });

  it('names what does not exist', () => {
    const fixture: Fixture = {
      users: { alice: { organization: 'other', roles: { none: ['x'] } } },
      applications: { web: { project: 'none' } },
    };
    const { mistakes } = new FixtureDraft(fixture, emptyCast());
    expect(mistakes).toEqual([
      { path: ['applications', 'web', 'project'], problem: 'names none of the projects: main' },
      { path: ['users', 'alice', 'organization'], problem: 'names none of the organizations: acme' },
      { path: ['users', 'alice', 'roles', 'none'], problem: 'names none of the projects: main' },
    ]);
  });

  it('is found again by the places of its document', () => {
    const draft = new FixtureDraft(DEFAULT_FIXTURE, emptyCast());
    expect(draft.originOf('orgs[0].humanUsers[1].user.userName')).toEqual(['users', 'bob', 'userName']);
    expect(draft.originOf('orgs[0].humanUsers[0].user.profile.preferredLanguage')).toEqual([
      'users',
      'alice',
      'locale',
    ]);
    expect(draft.originOf('orgs[0].humanUsers[0].user.email.email')).toEqual(['users', 'alice', 'email']);
    expect(draft.originOf('orgs[0].oidcApps[2].app.redirectUris[1]')).toEqual([
      'applications',
      'native',
      'redirectUris',
      '1',
    ]);
    expect(draft.originOf('orgs[0].oidcApps[0].app.idTokenLifetime')).toEqual([
      'applications',
      'web',
      'settings',
      'idTokenLifetime',
    ]);
    expect(draft.originOf('orgs[0].loginPolicy.forceMfa')).toEqual([
      'organizations',
      'acme',
      'settings',
      'loginPolicy',
      'forceMfa',
    ]);
    expect(draft.originOf('elsewhere')).toEqual(['elsewhere']);
  });
});
