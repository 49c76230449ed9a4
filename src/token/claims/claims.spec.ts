import { describe, expect, it } from '@jest/globals';
import { IssuerConfig } from '../../foundation/config/config.js';
import { roleClaims } from './role-claims.js';
import type { RoleQuestion } from './scope.js';
import type { Subject } from './subject.js';
import { Urn } from './urn.js';
import { reservedClaims, USER_CLAIMS, userClaims } from './user-claims.js';

const urn = new Urn(Object.assign(new IssuerConfig(), { urnWord: 'service' }));

const blank: Subject = {
  userId: 'u1',
  orgId: 'a',
  kind: 'human',
  userName: 'alice',
  firstName: '',
  lastName: '',
  middleName: '',
  nickName: '',
  displayName: '',
  preferredLanguage: '',
  gender: '',
  profileUrl: '',
  pictureUrl: '',
  website: '',
  birthdate: '',
  zoneinfo: '',
  address: {},
  email: '',
  emailVerified: false,
  phone: '',
  phoneVerified: false,
  serviceName: '',
  updatedAt: 1_767_225_600,
  userEpoch: 0,
  orgName: 'A',
  orgDomain: 'orga.test',
  nameScope: '',
  grants: null,
  metadata: null,
  groups: null,
};

const alice: Subject = {
  ...blank,
  firstName: 'Alice',
  lastName: 'Liddell',
  middleName: 'Pleasance',
  nickName: 'Ally',
  displayName: 'Alice Liddell',
  preferredLanguage: 'en',
  gender: 'female',
  profileUrl: 'https://alice.test/',
  pictureUrl: 'https://alice.test/me.png',
  website: 'https://alice.test/blog',
  birthdate: '1852-05-04',
  zoneinfo: 'Europe/London',
  address: {
    formatted: 'Oxford',
    streetAddress: 'Deanery',
    locality: 'Oxford',
    region: 'Oxon',
    postalCode: 'OX1',
    country: 'UK',
  },
  email: 'alice@mail.test',
  emailVerified: true,
  phone: '+41791234567',
};

const EVERY_SCOPE = ['openid', 'profile', 'email', 'phone', 'address', 'offline_access'];

describe('Claims about a person', () => {
  it('are those of the granted scopes, in the types of OIDC Core §5.1', () => {
    expect(userClaims(alice, EVERY_SCOPE, [])).toEqual({
      name: 'Alice Liddell',
      given_name: 'Alice',
      family_name: 'Liddell',
      middle_name: 'Pleasance',
      nickname: 'Ally',
      preferred_username: 'alice@orga.test',
      profile: 'https://alice.test/',
      picture: 'https://alice.test/me.png',
      website: 'https://alice.test/blog',
      gender: 'female',
      birthdate: '1852-05-04',
      zoneinfo: 'Europe/London',
      locale: 'en',
      updated_at: 1_767_225_600,
      email: 'alice@mail.test',
      email_verified: true,
      phone_number: '+41791234567',
      phone_number_verified: false,
      address: {
        formatted: 'Oxford',
        street_address: 'Deanery',
        locality: 'Oxford',
        region: 'Oxon',
        postal_code: 'OX1',
        country: 'UK',
      },
    });
  });

  it.each([
    ['openid', []],
    ['email', ['email', 'email_verified']],
    ['phone', ['phone_number', 'phone_number_verified']],
    ['address', ['address']],
    ['__proto__', []],
    ['constructor', []],
  ])('of the scope %s are %j', (scope, names) => {
    expect(Object.keys(userClaims(alice, [scope], [])).sort()).toEqual(names);
  });

  it('are never null, blank or empty, but false is a fact', () => {
    expect(userClaims(blank, EVERY_SCOPE, USER_CLAIMS)).toEqual({
      preferred_username: 'alice@orga.test',
      updated_at: 1_767_225_600,
    });
    expect(userClaims({ ...blank, email: 'a@mail.test' }, ['email'], [])).toEqual({
      email: 'a@mail.test',
      email_verified: false,
    });
    expect(userClaims({ ...blank, address: { country: 'UK', region: '' } }, ['address'], [])).toEqual({
      address: { country: 'UK' },
    });
  });

  it('asked for by name come without their scope, and only if they are known', () => {
    expect(userClaims(alice, [], ['email', 'birthdate', 'password', 'sub', '__proto__', 'constructor'])).toEqual({
      email: 'alice@mail.test',
      birthdate: '1852-05-04',
    });
  });

  it('of a service user are its names', () => {
    const service: Subject = { ...blank, kind: 'service', userName: 'svc1', serviceName: 'Cron' };
    expect(userClaims(service, EVERY_SCOPE, [])).toEqual({
      name: 'Cron',
      preferred_username: 'svc1@orga.test',
      updated_at: 1_767_225_600,
    });
  });
});

describe('Claims about the organization', () => {
  it('come with the scopes that ask for them', () => {
    expect(reservedClaims(alice, ['openid'], urn)).toEqual({});
    expect(reservedClaims(alice, [urn.resourceOwner], urn)).toEqual({
      'urn:service:iam:user:resourceowner:id': 'a',
      'urn:service:iam:user:resourceowner:name': 'A',
      'urn:service:iam:user:resourceowner:primary_domain': 'orga.test',
    });
    expect(
      reservedClaims(alice, ['urn:service:iam:org:id:a', 'urn:service:iam:org:domain:primary:orga.test'], urn),
    ).toMatchObject({
      'urn:service:iam:org:id': 'a',
      'urn:service:iam:org:domain:primary': 'orga.test',
      'urn:service:iam:user:resourceowner:id': 'a',
    });
  });

  it('leave out a domain that does not exist', () => {
    expect(Object.keys(reservedClaims({ ...alice, orgDomain: null }, [urn.resourceOwner], urn))).toEqual([
      'urn:service:iam:user:resourceowner:id',
      'urn:service:iam:user:resourceowner:name',
    ]);
  });
});

describe('Metadata', () => {
  const metadata = JSON.parse('{"sub":"YWRtaW4=","__proto__":"eA==","long":"AAAA\\nAAAA"}') as Record<string, string>;

  it('stands within one claim, base64url without padding, and overrides nothing', () => {
    const claims = reservedClaims({ ...alice, metadata }, [urn.metadata], urn);
    expect(Object.keys(claims)).toEqual(['urn:service:iam:user:metadata']);
    expect(JSON.stringify(claims)).toBe(
      '{"urn:service:iam:user:metadata":{"sub":"YWRtaW4","__proto__":"eA","long":"AAAAAAAA"}}',
    );
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('is left out where there is none, and where it is not asked for', () => {
    expect(reservedClaims({ ...alice, metadata: {} }, [urn.metadata], urn)).toEqual({});
    expect(reservedClaims({ ...alice, metadata }, ['openid'], urn)).toEqual({});
  });
});

describe('The claim groups', () => {
  it('names the groups of the user for the scope, and is absent where there are none', () => {
    const member = { ...alice, groups: ['Night shift', 'Staff'] };
    expect(reservedClaims(member, ['openid', 'groups'], urn)).toEqual({ groups: ['Night shift', 'Staff'] });
    expect(reservedClaims(member, ['openid'], urn)).toEqual({});
    expect(reservedClaims(alice, ['openid', 'groups'], urn)).toEqual({});
  });
});

describe('Roles', () => {
  const question: RoleQuestion = { currentProjectId: 'p', projectIds: ['p'], roleKeys: undefined, orgIds: undefined };
  const grant = (roleKeys: string[], projectId = 'p', orgId = 'a') => ({
    projectId,
    orgId,
    orgDomain: `org${orgId}.test`,
    roleKeys,
  });

  it('are in objects by role and granting organization, for the current project also unqualified', () => {
    const claims = roleClaims([grant(['reader', 'writer']), grant(['reader'], 'p', 'b')], question, urn, false);
    const roles = { reader: { a: 'orga.test', b: 'orgb.test' }, writer: { a: 'orga.test' } };
    expect(claims).toEqual({
      'urn:service:iam:org:project:p:roles': roles,
      'urn:service:iam:org:project:roles': roles,
    });
  });

  it('are also in a flat list, if the application wants it', () => {
    expect(roleClaims([grant(['reader', 'writer'])], question, urn, true)).toMatchObject({
      roles: ['reader', 'writer'],
    });
    expect(roleClaims([grant(['reader'], 'q')], { ...question, projectIds: ['q'] }, urn, true)).not.toHaveProperty(
      'roles',
    );
  });

  it('of another project stand under its id alone', () => {
    expect(
      roleClaims([grant(['reader'], 'q'), grant(['writer'])], { ...question, projectIds: ['q'] }, urn, false),
    ).toEqual({
      'urn:service:iam:org:project:q:roles': { reader: { a: 'orga.test' } },
    });
  });

  it('are only those that were asked for, of the organizations that were asked for', () => {
    const grants = [grant(['reader', 'writer']), grant(['reader'], 'p', 'b')];
    expect(
      roleClaims(grants, { ...question, roleKeys: ['reader'], orgIds: ['b'] }, urn, false)[
        'urn:service:iam:org:project:roles'
      ],
    ).toEqual({ reader: { b: 'orgb.test' } });
  });

  it('are absent if they were not requested or not granted', () => {
    expect(roleClaims([grant(['reader'])], undefined, urn, true)).toEqual({});
    expect(roleClaims(null, question, urn, true)).toEqual({});
    expect(roleClaims([], question, urn, true)).toEqual({});
    expect(roleClaims([grant([])], question, urn, true)).toEqual({});
  });

  it('called like reserved claims or prototypes are only names of roles', () => {
    const names = ['sub', 'iss', 'aud', '__proto__', 'constructor', 'urn:service:iam:org:project:roles'];
    const claims = roleClaims([{ ...grant(names), orgId: '__proto__' }], question, urn, true);
    expect(Object.keys(claims).sort()).toEqual([
      'roles',
      'urn:service:iam:org:project:p:roles',
      'urn:service:iam:org:project:roles',
    ]);
    expect(Object.keys(claims['urn:service:iam:org:project:roles'] as object).sort()).toEqual([...names].sort());
    expect(JSON.stringify(claims)).toContain('"__proto__":{"__proto__":"orga.test"}');
    expect(Object.getPrototypeOf(claims['urn:service:iam:org:project:roles'] as object)).toBe(Object.prototype);
  });
});
