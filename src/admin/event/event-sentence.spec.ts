import { describe, expect, it } from '@jest/globals';
import { eventSentence, typeSentence } from './event-sentence.js';

describe('An event as a sentence', () => {
  it.each([
    ['user.human.added', 'user', 'Ilse Brandt', { userName: 'ilse' }, 'Added the user “Ilse Brandt” (userName: ilse)'],
    ['user.human.password.changed', 'user', 'Ilse', {}, 'Changed the password of the user “Ilse”'],
    [
      'org.domain.primary.set',
      'org',
      'Acme',
      { domain: 'acme.test' },
      'Chose the primary domain of the organization “Acme” (domain: acme.test)',
    ],
    ['user.state.active', 'user', 'Ilse', {}, 'Activated the user “Ilse”'],
    ['session.signed_in', 'session', 'Ilse', {}, 'Began the session of “Ilse”'],
    ['policy.login.changed', 'policy.login', '', { forceMfa: true }, 'Changed the login policy (forceMfa: true)'],
    ['iam.data.exported', 'instance', '', { orgs: 2 }, 'Exported data of the instance (orgs: 2)'],
    ['client.oidc.added', 'client', 'Shop', {}, 'Added the application “Shop”'],
    ['client.key.added', 'client', 'Shop', {}, 'Added a key to the application “Shop”'],
    ['user.grant.added', 'user_grant', '', {}, 'Added the user grant'],
    ['project.grant.member.added', 'project_grant', '', {}, 'Added a member to the project grant'],
    ['user.service.key.removed', 'user', 'robot', {}, 'Removed a key from the service user “robot”'],
    ['iam.idp.oidc.config.added', 'instance', '', {}, 'Set up an OpenID provider for the instance'],
    [
      'user.cascade.removed',
      'user',
      '',
      { orgId: '1' },
      'Removed the user, as a consequence of another change (orgId: 1)',
    ],
    ['sign_in.password.check.failed', 'sign_in', '', {}, 'Typed a wrong password in the sign-in'],
    ['session.second_factor_checked', 'session', 'Ilse', {}, 'Presented a second factor in the session of “Ilse”'],
    ['user.human.mfa.u2f.token.added', 'user', 'Ilse', {}, 'Added a security key to the user “Ilse”'],
  ])('%s', (type, aggregateType, aggregateName, payload, sentence) => {
    expect(eventSentence({ type, aggregateType, aggregateName, payload })).toBe(sentence);
  });

  it('shortens what is long, and leaves out what is empty or nested', () => {
    const payload = { empty: '', nested: { a: 1 }, list: ['a', 'b'], long: 'x'.repeat(100) };
    expect(eventSentence({ type: 'org.changed', aggregateType: 'org', aggregateName: 'A', payload })).toBe(
      `Changed the organization “A” (list: a b, long: ${'x'.repeat(60)}…)`,
    );
  });

  it('says of a type what it means', () => {
    expect(typeSentence('org.added')).toBe('Added an organization');
    expect(typeSentence('sign_in.mfa.check.failed')).toBe('Presented a wrong second factor in a sign-in');
    expect(typeSentence('policy.password.complexity.changed')).toBe('Changed a password complexity policy');
    expect(typeSentence('iam.data.exported')).toBe('Exported data of an instance');
    expect(typeSentence('policy.login')).toBe('A login policy');
  });
});
