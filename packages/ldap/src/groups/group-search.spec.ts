import { describe, expect, it } from '@jest/globals';
import { groupFilter, groupsDecided, mappedGroups } from './group-search.js';

const settings = {
  memberOfAttribute: '',
  groupBase: 'ou=groups,dc=test',
  groupMemberAttribute: '',
  nestedGroups: false,
  groupMappings: ['1=cn=admins,ou=groups,dc=test', '2=cn=all,ou=groups,dc=test', '1=cn=owners,ou=groups,dc=test'],
};

describe('Groups of a directory', () => {
  it('lead to groups of Gatehouse, however their names are written', () => {
    expect(mappedGroups(settings, ['CN=Admins, OU=groups,DC=test', 'cn=owners,ou=groups,dc=test'])).toEqual(['1']);
    expect(mappedGroups(settings, ['cn=others,ou=groups,dc=test'])).toEqual([]);
    expect(groupsDecided(settings)).toEqual(['1', '2']);
  });

  it('are searched by a member, through groups in groups where that is asked for', () => {
    expect(groupFilter(settings, 'uid=*,dc=test').toString()).toBe('(member=uid=\\2a,dc=test)');
    expect(groupFilter({ ...settings, nestedGroups: true }, 'uid=a').toString()).toBe(
      '(member:1.2.840.113556.1.4.1941:=uid=a)',
    );
  });
});
