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
      'Set the domain primary of the organization “Acme” (domain: acme.test)',
    ],
    ['user.state.active', 'user', 'Ilse', {}, 'Activated the user “Ilse”'],
    ['session.signed_in', 'session', 'Ilse', {}, 'Signed in the session “Ilse”'],
    ['policy.login.changed', 'policy.login', '', { forceMfa: true }, 'Changed the login policy (forceMfa: true)'],
    ['iam.data.exported', 'instance', '', { orgs: 2 }, 'Exported the data of the instance (orgs: 2)'],
    ['client.oidc.added', 'client', 'Shop', {}, 'Added the OpenID Connect of the application “Shop”'],
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
    expect(typeSentence('sign_in.mfa.check.failed')).toBe('Failed the second factor check of a sign-in');
  });
});
