import { describe, expect, it } from '@jest/globals';
import { saidNameIn } from './said-name.js';

describe("The name in Apple's form", () => {
  it('is taken, and nothing else of it (SOC-003)', () => {
    const user = { name: { firstName: 'Ann', lastName: 'Li', sub: 'x' }, email: 'ceo@victim.example', sub: '1' };
    expect(saidNameIn(JSON.stringify(user))).toEqual({ givenName: 'Ann', familyName: 'Li' });
    expect(saidNameIn('{"name": {"firstName": "Ann"}}')).toEqual({ givenName: 'Ann' });
  });

  it.each([
    undefined,
    '',
    'Ann',
    '[]',
    'null',
    '{"name": "Ann"}',
    '{"name": {"firstName": {"a": 1}}}',
    '{"name": null}',
  ])('is none in %j (SOC-003)', (user) => {
    expect(saidNameIn(user)).toEqual({});
  });
});
