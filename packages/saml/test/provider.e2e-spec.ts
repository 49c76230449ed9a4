import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AdminApi, World } from 'gatehouse/testing';
import { startWorld } from 'gatehouse/testing';
import { NAME_ID_FORMAT } from '../src/protocol/uris.js';
import saml from '../src/saml.extension.js';
import { PARTS, RESPONSE } from '../src/sp/provider.fixture.js';
import { PLACES, type Place, signatureIn, WRAPPINGS } from '../src/sp/wrapping.fixture.js';
import { type Answer, type Away, IdentityProviderPeer, named, nobody } from './support/identity-provider.js';
import { newKey } from './support/service-provider.js';

type Party = ReturnType<World['party']>;

let world: World;
let admin: AdminApi;
let peer: IdentityProviderPeer;
let id: string;
let party: Party;
let client: Party;

beforeAll(async () => {
  world = await startWorld({ extensions: [saml], env: { OUTBOUND_ALLOW: '127.0.0.1' } });
  admin = await world.manager(['IAM_OWNER']);
  peer = await IdentityProviderPeer.make(world, admin);
  id = (await peer.add({ isEmailVerified: true })).id;
  client = world.party(await world.add.application());
});
beforeEach(() => {
  world.clock.advance('1m');
  party = client.elsewhere();
});
afterAll(() => world.close());

/** Somebody comes back with an answer: what they get, and whether there is an account. */
async function arrive(answer: Answer = {}, away?: Away): Promise<{ status: number; subject: string }> {
  const subject = nobody();
  const at = away ?? (await peer.leave(id, client.elsewhere()));
  const document = peer.document(at, { ...answer, assertion: { ...named(subject), ...answer.assertion } });
  return { status: await peer.comeBack(at, document), subject };
}

interface Linked {
  readonly subject: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly firstName: string;
  readonly attributes: object;
}
async function linked(providerId = id): Promise<Linked[]> {
  return world.sql<Linked & object>`
    SELECT l.external_user_id AS subject, u.email, u.email_verified AS "emailVerified", u.first_name AS "firstName",
      l.attributes
    FROM idp_link l JOIN user_account u ON u.id = l.user_id WHERE l.idp_id = ${providerId} ORDER BY l.creation_date`;
}

/** That an answer signs nobody in. */
async function refused(answer: Answer, status = 400): Promise<void> {
  const before = await linked();
  expect((await arrive(answer)).status).toBe(status);
  expect(await linked()).toEqual(before);
}

describe('Users of a company that speaks SAML', () => {
  it('sign in there, and get an account with their names', async () => {
    const away = await peer.leave(id, party);
    expect(away.request.root.attribute('ForceAuthn')).toBeUndefined();
    const { status, subject } = await arrive({}, away);
    expect(status).toBe(302);
    expect((await linked()).at(-1)).toMatchObject({ subject, email: `${subject}@a.test`, emailVerified: true });
    const { page } = await client.elsewhere().authorize();
    expect(page?.text).toContain('Company');
  });

  it.each(['assertion', 'response'] as const)(
    'are believed if the %s is signed, and not if nothing is',
    async (sign) => {
      expect((await arrive({ sign })).status).toBe(302);
      await refused({ sign: 'nothing' });
    },
  );

  it('find an entity and an address of ours for each provider, and the metadata says so', async () => {
    const { text, headers } = await world.send({ path: `/saml/v2/sp/${id}/metadata` });
    expect(headers['content-type']).toContain('samlmetadata');
    expect(text).toContain(`entityID="${world.issuer}/saml/v2/sp/${id}/metadata"`);
    expect(text).toContain(`Location="${world.issuer}/ui/login/login/externalidp/callback/${id}"`);
    expect((await world.send({ path: '/saml/v2/sp/a%20b/metadata' })).status).toBe(404);
  });

  it('are asked for a new proof where one is demanded, and an older one is refused', async () => {
    const away = await peer.leave(id, party, { prompt: 'login' });
    expect(away.request.root.attribute('ForceAuthn')).toBe('true');
    expect((await arrive({}, away)).status).toBe(302);
    const old = PARTS.authn.replace(
      /AuthnInstant="[^"]*"/,
      `AuthnInstant="${new Date(world.clock.now().getTime() - 600_000).toISOString()}"`,
    );
    const again = await peer.leave(id, client.elsewhere(), { max_age: 60 });
    expect((await arrive({ assertion: { authn: old } }, again)).status).toBe(400);
    expect((await arrive({ assertion: { authn: old } })).status).toBe(302);
  });

  it('have an address that is verified only if the administrator says so', async () => {
    const careful = (await peer.add({})).id;
    const away = await peer.leave(careful, party);
    const subject = nobody();
    await peer.comeBack(away, peer.document(away, { assertion: named(subject) }));
    expect(await linked(careful)).toMatchObject([{ emailVerified: false }]);
  });

  it('keep the attributes that the administrator has named, and have names by the attributes that are configured', async () => {
    const own = (
      await peer.add({ givenNameAttribute: 'vorname', keptAttributes: ['unit', 'none'], isEmailVerified: true })
    ).id;
    const attribute = (name: string, ...values: string[]) =>
      `<saml:Attribute Name="${name}">${values.map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`).join('')}</saml:Attribute>`;
    const subject = nobody();
    const attributes = `<saml:AttributeStatement>${attribute('vorname', 'Änne &amp; Co')}${attribute('unit', 'Night', 'Day')}${attribute('secret', 'x')}${attribute('mail', `${subject}@a.test`)}</saml:AttributeStatement>`;
    const away = await peer.leave(own, party);
    await peer.comeBack(away, peer.document(away, { assertion: { ...named(subject), attributes } }));
    expect(await linked(own)).toMatchObject([{ firstName: 'Änne & Co', attributes: { unit: ['Night', 'Day'] } }]);
    expect(Object.keys((await linked(own))[0]!.attributes)).toEqual(['unit']);
  });

  it('are in the groups that their provider says, of those that are mapped', async () => {
    const { id: orgId } = await defaultOrg();
    const group = async (name: string) =>
      (await admin.about(orgId).call<{ groupId: string }>('POST', '/management/v1/groups', { name })).groupId;
    const [night, day] = [await group('Night'), await group('Day')];
    const own = (
      await peer.add({
        groupsAttribute: 'groups',
        groups: [`cn=night,dc=acme=${night}`, `day=${day}`],
        isEmailVerified: true,
      })
    ).id;
    const says = async (...values: string[]) => {
      const attributes = `<saml:AttributeStatement><saml:Attribute Name="groups">${values.map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`).join('')}</saml:Attribute><saml:Attribute Name="mail"><saml:AttributeValue>grouped@a.test</saml:AttributeValue></saml:Attribute></saml:AttributeStatement>`;
      const away = await peer.leave(own, client.elsewhere());
      expect(await peer.comeBack(away, peer.document(away, { assertion: { ...named('grouped'), attributes } }))).toBe(
        302,
      );
      const rows = await world.sql<{
        group: string;
      }>`SELECT m.group_id AS group FROM user_group_member m JOIN idp_link l ON l.user_id = m.user_id WHERE l.idp_id = ${own} ORDER BY 1`;
      return rows.map((row) => row.group);
    };
    expect(await says('cn=night,dc=acme', 'other')).toEqual([night]);
    expect(await says('day')).toEqual([day]);
    expect(await admin.verdict('POST', '/admin/v1/idps/extension', peer.body({ groups: ['x=no-such-group'] }))).toBe(
      '400 settings',
    );
  });

  async function defaultOrg(): Promise<{ id: string }> {
    const [row] = await world.sql<{ id: string }>`SELECT default_org_id AS id FROM instance`;
    return row!;
  }

  it('are sent on by a form where the administrator wants that, and the request is signed', async () => {
    const own = (await peer.add({ binding: 'post', signRequests: true })).id;
    const { page } = await party.authorize();
    const authRequestID = page?.formWith('authRequestID').fields['authRequestID'] ?? '';
    const arrival = await party.browser.get(
      `/ui/login/login/externalidp?${new URLSearchParams({ authRequestID, idpConfigID: own })}`,
    );
    const form = arrival.page?.forms.find(({ action }) => action === peer.signOnUrl);
    const xml = Buffer.from(form?.fields['SAMLRequest'] ?? '', 'base64').toString();
    expect([xml.includes('<ds:Signature'), xml.includes(NAME_ID_FORMAT.persistent)]).toEqual([true, true]);
  });
});

describe('Who it is', () => {
  const nameId = (format: string, value: string) => `<saml:NameID Format="${format}">${value}</saml:NameID>`;

  it.each([
    [NAME_ID_FORMAT.emailAddress, {}, 400],
    [NAME_ID_FORMAT.emailAddress, { nameIdFormat: 'emailAddress' }, 302],
    [NAME_ID_FORMAT.unspecified, {}, 400],
    [NAME_ID_FORMAT.unspecified, { nameIdFormat: 'unspecified' }, 302],
    [NAME_ID_FORMAT.transient, { nameIdFormat: 'transient' }, 400],
    [NAME_ID_FORMAT.transient, { nameIdFormat: 'transient', transientMappingAttribute: 'mail' }, 302],
    ['', { transientMappingAttribute: 'mail' }, 302],
    ['', {}, 400],
  ])('a name of the format %j with %j is answered with %i', async (format, settings, status) => {
    const own = (await peer.add({ isEmailVerified: true, ...settings })).id;
    const away = await peer.leave(own, party);
    const subject = nobody();
    const parts = { ...named(subject), nameId: format === '' ? '' : nameId(format, subject) };
    expect(await peer.comeBack(away, peer.document(away, { assertion: parts }))).toBe(status);
  });

  it('SML-002: a comment is not there, and the whole text counts', async () => {
    const subject = nobody();
    const nameIdWithComment = PARTS.nameId.replace('anna', `${subject}<!-- -->.evil`);
    expect((await arrive({ assertion: { ...named(subject), nameId: nameIdWithComment } })).status).toBe(302);
    expect((await linked()).at(-1)).toMatchObject({ subject: `${subject}.evil` });
    for (const text of ['<![CDATA[admin]]>x', '&#97;dmin ', ' admin'])
      expect([302, 400]).toContain(
        (await arrive({ assertion: { ...named(nobody()), nameId: PARTS.nameId.replace('anna', text) } })).status,
      );
    expect((await linked()).map((one) => one.subject)).not.toContain('admin');
  });
});

describe('Nobody is signed in by a response', () => {
  it.each(
    Object.keys(WRAPPINGS).flatMap((name) => Object.keys(PLACES).map((place) => [name, place as Place] as const)),
  )('SML-001: that is wrapped by %s with the forged assertion %s', async (name, place) => {
    const sign = name === 'XSW1' || name === 'XSW2' ? 'response' : 'assertion';
    const change = (document: string) => WRAPPINGS[name]!({ document, signature: signatureIn(document) }, place);
    await refused({ sign, change });
  });

  const behindDeclaration = (text: string) => (document: string) => `${text}${document}`;
  it.each<[string, (document: string) => string | Buffer]>([
    ['an internal subset', behindDeclaration('<!DOCTYPE a [<!ENTITY b "c">]>')],
    ['an external one', behindDeclaration('<!DOCTYPE a SYSTEM "https://evil.test/a.dtd">')],
    ['parameter entities', behindDeclaration('<!DOCTYPE a [<!ENTITY % b SYSTEM "file:///etc/passwd">%b;]>')],
    [
      'laughs',
      behindDeclaration(
        `<!DOCTYPE a [${['a', 'b', 'c', 'd'].map((one, index) => `<!ENTITY ${one} "${'&z;'.repeat(index * 50)}">`).join('')}]>`,
      ),
    ],
    ['a second root', (document) => `${document}${document}`],
    ['UTF-16', (document) => Buffer.from(`\uFEFF${document}`, 'utf16le')],
    ['a NUL', (document) => document.replace('</saml:Issuer>', '\0</saml:Issuer>')],
    ['a megabyte', (document) => document.replace('</saml:Issuer>', `</saml:Issuer>${' '.repeat(270_000)}`)],
  ])('SML-003: that has %s', async (_, change) => {
    const away = await peer.leave(id, party);
    const document = change(peer.document(away, { assertion: named(nobody()) }));
    expect(await peer.comeBack(away, document)).toBe(400);
  });

  it.each<[string, (document: string) => string]>([
    ['two references', (document) => document.replace(/(<ds:Reference .*?<\/ds:Reference>)/s, '$1$1')],
    ['an empty reference', (document) => document.replace(/URI="#_assertion"/, 'URI=""')],
    [
      'another transform',
      (document) =>
        document.replace(
          'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
          'http://www.w3.org/TR/1999/REC-xpath-19991116',
        ),
    ],
    ['a transform with comments', (document) => document.replace(/xml-exc-c14n#"/g, 'xml-exc-c14n#WithComments"')],
    [
      'two ids',
      (document) =>
        document.replace('<samlp:Status>', '<samlp:Extensions><x ID="_assertion"/></samlp:Extensions><samlp:Status>'),
    ],
    [
      'the signature elsewhere',
      (document) => {
        const signature = signatureIn(document);
        const extensions = `<samlp:Extensions>${signature}</samlp:Extensions>`;
        return document.replace(signature, '').replace('<samlp:Status>', `${extensions}<samlp:Status>`);
      },
    ],
    ['two SignedInfo', (document) => document.replace(/(<ds:SignedInfo>.*<\/ds:SignedInfo>)/s, '$1$1')],
    ['a comment in the digest', (document) => document.replace('<ds:DigestValue>', '<ds:DigestValue><!-- x -->')],
    ['another person', (document) => document.replace(/>person\d+</, '>admin<')],
  ])('SML-004: with %s', async (_, change) => refused({ change }));

  it('SML-005: signed by another key, also one within it, by a key that both know, or with SHA-1', async () => {
    await refused({ key: await newKey(world, 'evil.test') });
    const algorithm = (uri: string) => (document: string) =>
      document.replace(/(<ds:SignatureMethod Algorithm=")[^"]*/, `$1${uri}`);
    const hmac = (document: string) =>
      algorithm('http://www.w3.org/2000/09/xmldsig#hmac-sha1')(document).replace(
        /<ds:SignatureValue>[^<]*/,
        `<ds:SignatureValue>${createHmac('sha1', peer.key.certificate.base64).update('x').digest('base64')}`,
      );
    await refused({ change: hmac });
    await refused({ change: algorithm('http://www.w3.org/2000/09/xmldsig#rsa-sha1') });
    await refused({ change: algorithm('none') });
  });

  it('SML-006: for another audience, recipient or destination, or of another provider', async () => {
    await refused({
      assertion: { conditions: PARTS.conditions.replace(/<saml:Audience>[^<]*/, '<saml:Audience>https://other.test') },
    });
    await refused({
      assertion: { confirmation: PARTS.confirmation.replace(/Recipient="[^"]*/, 'Recipient="https://other.test') },
    });
    await refused({ response: { destination: ' Destination="https://other.test"' } });
    await refused({ assertion: { issuer: '<saml:Issuer>https://other.test</saml:Issuer>' } });
    const other = await IdentityProviderPeer.make(world, admin);
    const otherId = (await other.add({ isEmailVerified: true })).id;
    const away = await peer.leave(id, party);
    const before = await linked(otherId);
    expect((await peer.post(other.document(away), away.state, otherId)).status).toBe(400);
    expect(await peer.comeBack(away, other.document(away))).toBe(400);
    expect(await linked(otherId)).toEqual(before);
  });

  it('SML-007: that comes again, without a request, for the turn of somebody else, or in another browser', async () => {
    const away = await peer.leave(id, party);
    const document = peer.document(away, { assertion: named(nobody()) });
    expect(await peer.comeBack(away, document)).toBe(302);
    expect(await peer.comeBack(away, document)).toBe(400);
    const next = await peer.leave(id, client.elsewhere());
    expect(await peer.comeBack(next, document)).toBe(400);
    await refused({ response: { inResponseTo: '' } });
    await refused({
      assertion: {
        confirmation: PARTS.confirmation.replace(/ InResponseTo="[^"]*"/, '').replace('InResponseTo="_request" ', ''),
      },
    });
    expect((await peer.post(document, 'made-up', id)).status).toBe(400);
    const mine = await peer.leave(id, client.elsewhere());
    const { location = '' } = await peer.post(peer.document(mine, { assertion: named(nobody()) }), mine.state, id);
    const stranger = client.elsewhere();
    await stranger.authorize();
    expect((await stranger.browser.request('GET', location)).status).toBe(400);
  });

  it('SML-008: with an encrypted assertion or name', async () => {
    const encrypted = '<saml:EncryptedAssertion><a/></saml:EncryptedAssertion>';
    await refused({ sign: 'response', response: { extensions: `<samlp:Extensions>${encrypted}</samlp:Extensions>` } });
    await refused({ change: (document) => document.replace('<saml:Assertion', `${encrypted}<saml:Assertion`) });
    await refused({ assertion: { nameId: '<saml:EncryptedID><a/></saml:EncryptedID>' } });
  });

  it('SML-009: once the provider is deactivated or removed', async () => {
    const own = (await peer.add({ isEmailVerified: true })).id;
    const [one, two] = [await peer.leave(own, party), await peer.leave(own, client.elsewhere())];
    await admin.call('POST', `/admin/v1/idps/${own}/_deactivate`, {});
    await world.changesToArrive();
    expect(await peer.comeBack(one, peer.document(one, { assertion: named(nobody()) }))).toBe(400);
    await admin.call('DELETE', `/admin/v1/idps/${own}`);
    await world.changesToArrive();
    expect(await peer.comeBack(two, peer.document(two, { assertion: named(nobody()) }))).toBe(400);
    expect(await world.sql`SELECT 1 FROM ext_saml.provider_metadata WHERE provider_id = ${own}`).toEqual([]);
  });

  it.each(['https://evil.test/', 'javascript:alert(1)', 'x'.repeat(10_000)])(
    'SML-010: with a RelayState of its own, which is only for finding the turn',
    async (relayState) => {
      const away = await peer.leave(id, party);
      const { status, location } = await peer.post(peer.document(away), relayState, id);
      expect([status, location]).toEqual([400, undefined]);
    },
  );

  it('that says that nobody has signed in, or too early, too late, or to a bearer of another kind', async () => {
    const failed = RESPONSE.status.replace('Success', 'Responder');
    await refused({ response: { status: failed } });
    const late = (text: string) => text.replace(/NotOnOrAfter="[^"]*"/, 'NotOnOrAfter="2020-01-01T00:00:00Z"');
    await refused({ assertion: { conditions: late(PARTS.conditions) } });
    await refused({ assertion: { confirmation: late(PARTS.confirmation) } });
    await refused({ assertion: { confirmation: PARTS.confirmation.replace('cm:bearer', 'cm:sender-vouches') } });
    await refused({ assertion: { authn: '' } });
  });

  it('that comes in a query', async () => {
    const away = await peer.leave(id, party);
    const query = new URLSearchParams({
      RelayState: away.state,
      SAMLResponse: Buffer.from(peer.document(away)).toString('base64'),
    });
    expect((await party.browser.request('GET', `/ui/login/login/externalidp/callback/${id}?${query}`)).status).toBe(
      400,
    );
  });
});
