import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AUTHN_CONTEXT, NAME_ID_FORMAT } from '../src/protocol/uris.js';
import type { ServiceProviderPeer } from './support/service-provider.js';
import { Stage } from './support/stage.js';
import type { Visitor } from './support/visitor.js';

let stage: Stage;
let wiki: ServiceProviderPeer;
let anna: Visitor;

beforeAll(async () => {
  stage = await Stage.open();
  wiki = await stage.application();
});
beforeEach(async () => {
  anna = await stage.visitor();
});
afterAll(() => stage.close());

describe('An application that speaks SAML', () => {
  it('learns who has signed in: name, session, time, class and attributes, signed twice', async () => {
    const request = wiki.request();
    const page = await anna.bring(wiki, request, { relayState: 'deep/link?a=1&b=%2F' });
    expect(page.page?.text).toContain(wiki.host);
    const arrival = await anna.signIn(page);
    const person = await wiki.person(arrival, request.id);
    const { userName, loginName, email } = anna.person;
    expect(person).toMatchObject({
      nameId: {
        value: expect.stringMatching(/^[0-9a-f]{40}$/),
        format: NAME_ID_FORMAT.persistent,
        nameQualifier: `${stage.world.issuer}/saml/v2/metadata`,
        spNameQualifier: wiki.entityId,
      },
      authnContext: AUTHN_CONTEXT.passwordProtectedTransport,
      sessionIndex: expect.any(String),
    });
    expect(Object.fromEntries(person.attributes.map(({ friendlyName, values }) => [friendlyName, values]))).toEqual({
      uid: [userName],
      eduPersonPrincipalName: [loginName],
      mail: [email],
      givenName: ['Given'],
      sn: ['Family'],
      displayName: expect.anything(),
    });
    expect(wiki.posted(arrival)?.['RelayState']).toBe('deep/link?a=1&b=%2F');
    const signed = [...wiki.response(arrival)!.tree()].filter(({ name }) => name === 'Signature');
    expect(signed).toHaveLength(2);
  });

  it('is answered at once the next time, with the same name and session', async () => {
    const first = await anna.enter(wiki);
    const request = wiki.request();
    const second = await wiki.person(await anna.bring(wiki, request), request.id);
    expect([second.nameId, second.sessionIndex]).toEqual([first.nameId, first.sessionIndex]);
  });

  it('may post its request, which the browser sends once more with its cookie', async () => {
    await anna.enter(wiki);
    const request = wiki.request();
    const fields = wiki.form(request, { relayState: 'R' });
    const first = await anna.browser.post(wiki.ourSignOn, fields);
    expect(wiki.posted(first, wiki.ourSignOn)).toMatchObject(fields);
    const arrival = await anna.browser.post(wiki.ourSignOn, wiki.posted(first, wiki.ourSignOn)!);
    expect((await wiki.person(arrival, request.id)).nameId?.format).toBe(NAME_ID_FORMAT.persistent);
    expect(wiki.posted(arrival)?.['RelayState']).toBe('R');
  });

  it('gets NoPassive where it wants no page and nobody is signed in', async () => {
    const arrival = await anna.bring(wiki, wiki.request({ isPassive: true }), { relayState: 'R' });
    expect(wiki.status(arrival)).toBe('Responder NoPassive');
    expect(wiki.posted(arrival)?.['RelayState']).toBe('R');
    await anna.enter(wiki);
    const request = wiki.request({ isPassive: true });
    expect((await wiki.person(await anna.bring(wiki, request), request.id)).nameId).toBeDefined();
    const both = await anna.bring(wiki, wiki.request({ isPassive: true, forceAuthn: true }));
    expect(wiki.status(both)).toBe('Responder NoPassive');
  });

  it('may force a new proof', async () => {
    const { authnInstant } = await anna.enter(wiki);
    stage.world.clock.advance('2m');
    const request = wiki.request({ forceAuthn: true });
    const page = await anna.bring(wiki, request);
    expect(page.page?.find('input[name="password"]')).not.toBeNull();
    const anew = await wiki.person(await anna.signIn(page), request.id);
    expect(anew.authnInstant.getTime()).toBeGreaterThan(authnInstant.getTime());
  });

  it('gets AuthnFailed for a user who went back', async () => {
    const { page } = await anna.bring(wiki, wiki.request());
    const declined = await anna.browser.post('/ui/login/decline', page!.formWith('csrf').fields);
    expect(wiki.status(declined)).toBe('Responder AuthnFailed');
  });

  it('asks for two factors by the class of REFEDS, and gets NoAuthnContext for classes that we do not have', async () => {
    const { page } = await anna.bring(wiki, wiki.request({ authnContexts: [AUTHN_CONTEXT.refedsMfa] }));
    expect(wiki.posted({ page: page! })).toBeUndefined();
    const smartcard = 'urn:oasis:names:tc:SAML:2.0:ac:classes:SmartcardPKI';
    const refused = await anna.bring(wiki, wiki.request({ authnContexts: [smartcard] }));
    expect(wiki.status(refused)).toBe('Responder NoAuthnContext');
    await anna.enter(wiki);
    const one = await anna.bring(wiki, wiki.request({ authnContexts: [AUTHN_CONTEXT.refedsMfa], isPassive: true }));
    expect(wiki.status(one)).toMatch(/^Responder (?:NoAuthnContext|NoPassive)$/);
  });
});

describe('A name of a user', () => {
  const nameOf = async (at: ServiceProviderPeer, format: keyof typeof NAME_ID_FORMAT) =>
    (await anna.enter(at, { nameIdFormat: NAME_ID_FORMAT[format] })).nameId;

  it('is another one at each application, and outlives the name of the account', async () => {
    const mail = await stage.application();
    const [here, there] = [await nameOf(wiki, 'persistent'), await nameOf(mail, 'persistent')];
    expect(here?.value).not.toBe(there?.value);
    const { id } = anna.person;
    await stage.owner.call('PUT', `/management/v1/users/${id}/username`, { userName: 'married' });
    expect(await nameOf(wiki, 'unspecified')).toEqual(here);
  });

  it('is an address only if that is verified', async () => {
    expect(await nameOf(wiki, 'emailAddress')).toMatchObject({
      value: anna.person.email,
      format: NAME_ID_FORMAT.emailAddress,
    });
    const { id } = anna.person;
    await stage.owner.call('PUT', `/management/v1/users/${id}/email`, { email: 'boss@mail.test' });
    const arrival = await anna.bring(
      wiki,
      wiki.request({ nameIdFormat: NAME_ID_FORMAT.emailAddress, isPassive: true }),
    );
    expect(wiki.status(arrival)).not.toBe('Success');
  });

  it('is a new one each time if it is transient', async () => {
    const [first, second] = [await nameOf(wiki, 'transient'), await nameOf(wiki, 'transient')];
    expect(first?.format).toBe(NAME_ID_FORMAT.transient);
    expect(first?.value).not.toBe(second?.value);
  });

  it('is of the format of the application where the request asks for none', async () => {
    const mail = await stage.application({ nameIdFormat: 'emailAddress' });
    expect((await anna.enter(mail)).nameId?.value).toBe(anna.person.email);
  });

  it('ends in InvalidNameIDPolicy if we have no such names', async () => {
    const format = 'urn:oasis:names:tc:SAML:2.0:nameid-format:kerberos';
    const arrival = await anna.bring(wiki, wiki.request({ nameIdFormat: format }));
    expect(wiki.status(arrival)).toBe('Requester InvalidNameIDPolicy');
  });

  it('is not made if the application forbids that', async () => {
    const fresh = await stage.application();
    const request = fresh.request();
    const xml = request.xml.replace('AllowCreate="true"', 'AllowCreate="false"');
    const arrival = await anna.signIn(await anna.bring(fresh, { ...request, xml }));
    expect(fresh.status(arrival)).toBe('Requester InvalidNameIDPolicy');
  });
});

describe('An application that expects somebody', () => {
  it('is told of nobody else', async () => {
    const { nameId } = await anna.enter(wiki);
    const same = wiki.request({ subject: nameId! });
    expect((await wiki.person(await anna.bring(wiki, same), same.id)).nameId).toEqual(nameId);
    const bob = await stage.visitor();
    await bob.enter(wiki);
    const arrival = await bob.bring(wiki, wiki.request({ subject: nameId! }));
    expect(wiki.status(arrival)).toBe('Responder UnknownPrincipal');
  });
});

describe('Attributes', () => {
  it('carry roles and groups under the names of the mapping', async () => {
    const projectId = await stage.project();
    await stage.owner.call('POST', `/management/v1/projects/${projectId}/roles`, {
      roleKey: 'editor',
      displayName: 'Editor',
    });
    const { id } = anna.person;
    await stage.owner.call('POST', `/management/v1/users/${id}/grants`, { projectId, roleKeys: ['editor'] });
    const { groupId } = await stage.owner.call<{ groupId: string }>('POST', '/management/v1/groups', {
      name: 'A & <B>',
    });
    await stage.owner.call('POST', `/management/v1/groups/${groupId}/members`, { userIds: [id] });
    const attributes = [
      { source: 'roles', name: 'https://app.test/roles' },
      { source: 'groups', name: 'memberOf' },
    ];
    const app = await stage.application({ attributes }, projectId);
    const told = (await anna.enter(app)).attributes;
    expect(told.map(({ name, values }) => [name, values])).toEqual([
      ['https://app.test/roles', ['editor']],
      ['memberOf', ['A & <B>']],
    ]);
  });

  it('SML-014 are escaped, and without characters that XML does not have', async () => {
    const lastName = '</saml:AttributeValue><saml:Attribute Name="admin">&amp; "x"';
    const person = await stage.world.add.user({ org: stage.org, lastName });
    const told = await (await stage.visitor(person)).enter(wiki);
    expect(told.attributes.find(({ friendlyName }) => friendlyName === 'sn')?.values).toEqual([lastName]);
    expect(told.attributes.some(({ name }) => name === 'admin')).toBe(false);
  });
});

describe('What Gatehouse says of itself', () => {
  it('is metadata whose entityID is its address, with both bindings', async () => {
    const provider = await wiki.identityProvider();
    expect(provider.entityId).toBe(`${stage.world.issuer}/saml/v2/metadata`);
    expect(provider.signOnEndpoints.map(({ binding, url }) => [binding, url])).toEqual([
      ['redirect', wiki.ourSignOn],
      ['post', wiki.ourSignOn],
    ]);
    expect(provider.logoutEndpoints.map(({ url }) => url)).toEqual([wiki.ourLogout, wiki.ourLogout]);
    const reply = await stage.world.send({ path: '/saml/v2/metadata' });
    expect(reply.header('content-type')).toBe('application/samlmetadata+xml; charset=utf-8');
  });
});
