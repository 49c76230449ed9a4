import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { ApiDocument } from './document.js';
import { OperationSearch } from './search.js';

const document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')) as ApiDocument;
const search = new OperationSearch(document);
const best = (phrase: string): string[] => {
  const found = [...search.find(phrase)].sort(([, one], [, other]) => other - one);
  return found.filter(([, points]) => points === found[0]![1]).map(([id]) => id);
};

describe('The search for operations', () => {
  it.each([
    ['lock', 'LockUser'],
    ['LOCK user', 'LockUser'],
    ['user lock', 'LockUser'],
    ['mail', 'ListMails'],
    ['user', 'ListUsers'],
    ['password', 'SetHumanPassword'],
    ['role', 'AddProjectRole'],
    ['token', 'AddPersonalAccessToken'],
    ['secret', 'RegenerateOIDCClientSecret'],
    ['idp', 'ListIDPs'],
    ['SetLabelPolicyIconDark', 'SetLabelPolicyIconDark'],
    ['deactivate people', 'DeactivateUser'],
  ])('finds by “%s” the operation %s among the best', (phrase, id) => {
    expect(best(phrase)).toContain(id);
  });

  it.each([
    ['create project', 'AddProject'],
    ['delete user', 'RemoveUser'],
    ['audit', 'ListEvents'],
    ['branding', 'UpdateLabelPolicy'],
    ['sso', 'TestIDP'],
    ['mfa', 'AddSecondFactorToLoginPolicy'],
    ['unlock', 'UnlockUser'],
    ['webauthn', 'ListHumanPasswordless'],
    ['delete FIDO', 'RemoveHumanPasswordless'],
    ['tenant', 'AddOrg'],
    ['service account', 'AddMachineUser'],
    ['signing certificate', 'ListSigningKeys'],
    ['/management/v1/users/{id}/_lock', 'LockUser'],
    ['user.write', 'LockUser'],
  ])('knows “%s” as a word for %s', (phrase, id) => {
    expect([...search.find(phrase).keys()]).toContain(id);
  });

  it('finds only what every word is about, and nothing for nothing', () => {
    expect(search.find('lock xyzzy').size).toBe(0);
    expect(search.find('   ').size).toBe(0);
    const narrow = search.find('user metadata remove');
    expect(narrow.size).toBeGreaterThan(0);
    expect(narrow.size).toBeLessThan(search.find('user').size);
  });
});
