import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { type ApiDocument, hideFormerNames } from './document.js';
import { fragmentOf, type OperationLink, readOperationLink } from './operation-link.js';

const document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')) as ApiDocument;
hideFormerNames(document);

const read = (fragment: string): OperationLink | undefined => readOperationLink(fragment, document);
const valuesIn = (fragment: string): Record<string, string> =>
  Object.fromEntries(read(fragment)!.parameters.map(({ place, name, value }) => [`${place}.${name}`, value]));

describe('A link to an operation', () => {
  it('names values for the path and the organization', () => {
    const link = read('#/Users/UnlockUser?id=123&x-org=456')!;
    expect(link.route).toMatchObject({ method: 'post', path: '/management/v1/users/{id}/_unlock' });
    expect(link.parameters).toEqual([
      { place: 'path', name: 'id', value: '123' },
      { place: 'header', name: 'x-service-orgid', value: '456' },
    ]);
    expect([link.body, link.names]).toEqual([undefined, ['id', 'organization']]);
    expect(fragmentOf(link.route)).toBe('#/Users/UnlockUser');
  });

  it('names values for the query', () => {
    expect(valuesIn('#/Users/IsUserUnique?userName=o%27brien+1')).toEqual({ 'query.userName': "o'brien 1" });
  });

  it('names members of the body, in their types, beside which only those stay in the example that are required', () => {
    expect(read('#/Members/AddOrgMember?roles=ORG_OWNER&roles=%20%22%3C')!.body).toEqual({
      userId: '312909075212468233',
      roles: ['ORG_OWNER', ' "<'],
    });
    expect(read('#/Members/AddOrgMember?userId=1')!.body).toEqual({ userId: '1' });
    expect(
      read('#/Login%20policy/UpdateLoginPolicy?forceMfa=true&passwordlessType=PASSWORDLESS_TYPE_ALLOWED')!.body,
    ).toEqual({ forceMfa: true, passwordlessType: 'PASSWORDLESS_TYPE_ALLOWED' });
  });

  it('leads to the operation by its name, under whatever heading', () => {
    expect(fragmentOf(read('#/Anything/UpdateLoginPolicy?a=b')!.route)).toBe('#/Login%20policy/UpdateLoginPolicy');
  });

  it.each(['', '#', '#/', '#/Users', '#/Users/UnlockUser', '#?id=1', '#/Users/Nothing?id=1', '#/Users/%zz?id=1'])(
    'is not %j',
    (fragment) => expect(read(fragment)).toBeUndefined(),
  );

  it('does not lead to operations that the page hides', () => {
    expect(read('#/Languages/SetDeafultLanguage?language=de')).toBeUndefined();
  });

  it('fills in nothing that the operation does not declare [ADM-116]', () => {
    const link = read(
      '#/Members/AddOrgMember?__proto__=1&constructor=1&toString=1&userId.__proto__=1&Authorization=1&server=1&x-service-orgid=1',
    )!;
    expect([link.parameters, link.body, link.names]).toEqual([[], undefined, []]);
    expect(valuesIn('#/Organizations/ListOrgs?x-org=1')).toEqual({});
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('1');
  });

  it.each([
    ['with a control character', 'a%00b'],
    ['with a line break', 'a%0Ab'],
    ['with letters in another direction', 'a%E2%80%AEb'],
    ['with an invisible letter', 'a%E2%80%8Bb'],
    ['that is broken', 'a%FFb'],
    ['that is longer than 1,000 letters', 'a'.repeat(1001)],
    ['that leads out of its place in the path', '..'],
    ['that leads nowhere in the path', '.'],
    ['beside another one', '1&id=2'],
  ])('leaves a field empty for a value %s, instead of an example [ADM-116]', (_, value) => {
    expect(valuesIn(`#/Users/UnlockUser?id=${value}`)).toEqual({ 'path.id': '' });
  });

  it('leaves out members of the body whose values do not fit [ADM-116]', () => {
    expect(read('#/Members/AddOrgMember?userId=a%00b')!.body).toEqual({});
    expect(read('#/Login%20policy/UpdateLoginPolicy?forceMfa=1&passwordlessType=NO&forceMfaLocalOnly=')!.body).toEqual(
      {},
    );
    const many = Array.from({ length: 51 }, () => 'roles=A').join('&');
    expect(read(`#/Members/AddOrgMember?${many}`)!.body).toEqual({ userId: '312909075212468233' });
  });

  it('fills in nothing if it is longer than 8,192 letters [ADM-116]', () => {
    expect(valuesIn(`#/Users/UnlockUser?id=1&a=${'a'.repeat(8192)}`)).toEqual({});
  });

  it('keeps markup as text', () => {
    expect(valuesIn('#/Users/UnlockUser?id=%3Cimg%20src%3Dx%20onerror%3Dx()%3E')).toEqual({
      'path.id': '<img src=x onerror=x()>',
    });
  });
});
