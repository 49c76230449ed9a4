import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AdminApi, startWorld, type World } from 'gatehouse/testing';
import saml from '../src/saml.extension.js';
import { IdentityProviderPeer, named, nobody } from './support/identity-provider.js';
import { newKey } from './support/service-provider.js';

let world: World;
let admin: AdminApi;
let peer: IdentityProviderPeer;
let client: ReturnType<World['party']>;

beforeAll(async () => {
  world = await startWorld({ extensions: [saml], env: { OUTBOUND_ALLOW: '127.0.0.1' } });
  admin = await world.manager(['IAM_OWNER']);
  peer = await IdentityProviderPeer.make(world, admin);
  client = world.party(await world.add.application());
});
afterAll(() => world.close());

describe('SML-011: metadata', () => {
  it('without use is for signing; without a certificate, of two entities or expired it is not taken', async () => {
    const bare = peer.metadata().replace(' use="signing"', '');
    expect((await peer.add({ metadata: bare })).state).toBe('IDP_STATE_ACTIVE');
    const wrong = [
      peer.metadata({ certificates: [] }),
      peer.metadata().replace(/<md:KeyDescriptor use="signing"/, '<md:KeyDescriptor use="encryption"'),
      `<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata">${peer.metadata()}${peer.metadata()}</md:EntitiesDescriptor>`,
      peer.metadata().replaceAll(peer.signOnUrl, 'file:///etc/passwd'),
      peer.metadata({ signOnEndpoints: [] }),
      '<a/>',
      'no xml',
    ];
    for (const metadata of wrong)
      expect(await admin.verdict('POST', '/admin/v1/idps/extension', peer.body({ metadata }))).toBe(
        '400 settings.metadata',
      );
    const expired = await peer.add({
      metadata: peer.metadata({ validUntil: new Date(world.clock.now().getTime() - 1_000) }),
    });
    expect([expired.state, expired.parts.at(-1)?.ok]).toEqual(['IDP_STATE_INACTIVE', false]);
    const neither = await peer.add({ metadata: '' });
    expect(neither.state).toBe('IDP_STATE_INACTIVE');
  });

  it('at an address is read once a day, and a new key is taken from the same entity alone', async () => {
    const company = await IdentityProviderPeer.make(world, admin);
    const served = { text: company.metadata(), count: 0 };
    const server = createServer((_, response) => {
      served.count += 1;
      response.writeHead(served.text === '' ? 503 : 200, { 'Content-Type': 'application/samlmetadata+xml' });
      response.end(served.text);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const metadataUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/metadata`;
      const own = (await company.add({ metadata: '', metadataUrl, isEmailVerified: true })).id;
      const visit = async (key = company.key): Promise<number> => {
        const away = await company.leave(own, client.elsewhere());
        return company.comeBack(away, company.document(away, { key, assertion: named(nobody()) }));
      };
      expect([await visit(), await visit(), served.count]).toEqual([302, 302, 1]);
      world.clock.advance('25h');
      served.text = '';
      expect([await visit(), await visit(), served.count]).toEqual([302, 302, 2]);
      const next = await newKey(world, 'next.test');
      const thief = await IdentityProviderPeer.make(world, admin);
      served.text = thief.metadata({ certificates: [next.certificate] });
      world.clock.advance('11m');
      expect([await visit(next), await visit(), served.count]).toEqual([400, 302, 3]);
      served.text = company.metadata({ certificates: [next.certificate] });
      expect(await visit(next)).toBe(400);
      world.clock.advance('11m');
      expect([await visit(next), await visit(company.key), served.count]).toEqual([302, 400, 4]);
    } finally {
      server.close();
    }
  });

  it.each(['file:///etc/passwd', 'ftp://a.test/', 'javascript:x'])('is not read from %s', async (metadataUrl) => {
    const body = peer.body({ metadata: '', metadataUrl });
    expect(await admin.verdict('POST', '/admin/v1/idps/extension', body)).toBe('400 settings.metadataUrl');
  });

  it('is not read from a private address, and sends nobody to one by http', async () => {
    expect((await peer.add({ metadata: '', metadataUrl: 'https://10.0.0.1/metadata' })).state).toBe(
      'IDP_STATE_INACTIVE',
    );
    const http = peer.metadata().replaceAll(peer.signOnUrl, 'http://10.0.0.1/sso');
    expect((await peer.add({ metadata: http })).state).toBe('IDP_STATE_INACTIVE');
  });
});
