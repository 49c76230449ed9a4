import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AdminApi, CallReceiver } from 'gatehouse/testing';
import type { ServiceProviderPeer } from './support/service-provider.js';
import { Stage } from './support/stage.js';

let stage: Stage;
let owner: AdminApi;
let receiver: CallReceiver;

beforeAll(async () => {
  stage = await Stage.open({ OUTBOUND_ALLOW: '127.0.0.1' });
  owner = stage.owner;
  receiver = await CallReceiver.open();
});
afterAll(async () => {
  await receiver.close();
  await stage.close();
});

const at = ({ id }: ServiceProviderPeer, below = ''): string => `${stage.path}/${id}${below}`;

const typesOf = async (id: string): Promise<readonly unknown[]> =>
  (
    await stage.world.sql`SELECT type, payload FROM event WHERE aggregate_id = ${id} AND type LIKE 'ext.saml.%'
    ORDER BY sequence`
  ).map(({ type, payload }) => [type, payload]);

/** Serves this document from now on. */
function serve(metadata: string, status = 200): void {
  receiver.will(
    'metadata',
    ...Array.from({ length: 10 }, () => (response: ServerResponse) => {
      response.writeHead(status, { 'Content-Type': 'application/samlmetadata+xml' }).end(metadata);
    }),
  );
}

describe('An application that speaks SAML', () => {
  it('is added by its metadata, shown, changed and removed, and the journal says so', async () => {
    const app = await stage.application({ attributes: [{ source: 'email', name: 'mail' }] });
    expect(await owner.call('GET', at(app))).toMatchObject({
      applicationId: app.id,
      name: app.host,
      state: 'active',
      entityId: app.entityId,
      metadata: app.metadata,
      nameIdFormat: 'persistent',
      attributes: [{ source: 'email', name: 'mail' }],
    });
    const { result } = await owner.call<{ result: Array<{ applicationId: string }> }>('GET', stage.path);
    expect(result.map(({ applicationId }) => applicationId)).toContain(app.id);
    const change = { name: 'Wiki', nameIdFormat: 'transient', attributes: [], allowIdpInitiated: true };
    await owner.call('PUT', at(app), change);
    await owner.call('PUT', at(app), change);
    expect(await owner.call('GET', at(app))).toMatchObject({ name: 'Wiki', nameIdFormat: 'transient' });
    await owner.call('DELETE', at(app));
    expect(await owner.verdict('GET', at(app))).toMatch(/^404 /);
    const { projectId } = stage;
    expect(await typesOf(app.id)).toEqual([
      ['ext.saml.application.added', { projectId }],
      [
        'ext.saml.application.changed',
        { projectId, changed: ['name', 'nameIdFormat', 'attributes', 'allowIdpInitiated'] },
      ],
      ['ext.saml.application.removed', { projectId }],
    ]);
    expect(await stage.world.sql`SELECT 1 FROM ext_saml.application WHERE client_id = ${app.id}`).toEqual([]);
  });

  it('is the only one with its entityID', async () => {
    const [one, other] = [await stage.application(), await stage.application()];
    expect(await owner.verdict('POST', stage.path, { name: 'Again', metadata: one.metadata })).toBe(
      '409 saml.entity_taken',
    );
    expect(await owner.verdict('PUT', at(other, '/metadata'), { metadata: one.metadata })).toBe(
      '409 saml.entity_taken',
    );
    const { result } = await owner.call('POST', `/management/v1/projects/${stage.projectId}/apps/_search`, {});
    expect(JSON.stringify(result)).not.toContain('Again');
  });

  it('SML-011 is not taken without proper metadata', async () => {
    const add = (given: Readonly<Record<string, unknown>>): Promise<string> =>
      owner.verdict('POST', stage.path, { name: 'New', ...given });
    const { metadata } = await stage.application();
    const good = metadata.replaceAll(/sp\d+\.test/g, 'new.test');
    expect(await add({})).toBe('400 metadata');
    expect(await add({ metadata: good, metadataUrl: receiver.uri('metadata') })).toBe('400 metadata');
    for (const broken of [
      'x',
      '<?xml version="1.0"?><!DOCTYPE x>',
      good.replaceAll('SPSSODescriptor', 'IDPSSODescriptor'),
      good.replace(/Location="https:\/\/new\.test\/acs"/, 'Location="http://10.0.0.1/acs"'),
      good.replace(/Location="https:\/\/new\.test\/acs"/, 'Location="javascript:alert(1)"'),
      good.replace(' entityID=', ' validUntil="2020-01-01T00:00:00Z" entityID='),
      `<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata">${good}${good}</md:EntitiesDescriptor>`,
      `${good}${' '.repeat(300_000)}`,
    ])
      expect(await add({ metadata: broken })).toBe('400 metadata');
    const keyless = good.replace(/<md:KeyDescriptor.*<\/md:KeyDescriptor>/, '');
    expect(await add({ metadata: keyless, requireSignedRequests: true })).toBe('400 requireSignedRequests');
    expect(await add({ metadata: keyless })).toBe('200');
  });

  it('has the metadata of an address, which is read again when a manager says so', async () => {
    const { metadata } = await stage.application();
    const theirs = metadata.replaceAll(/sp\d+\.test/g, 'url.test');
    const metadataUrl = receiver.uri('metadata');
    const add = (): Promise<string> => owner.verdict('POST', stage.path, { name: 'Url', metadataUrl });
    serve(theirs, 404);
    expect(await add()).toBe('400 metadataUrl');
    serve(theirs);
    const { applicationId } = await owner.call<{ applicationId: string }>('POST', stage.path, {
      name: 'Url',
      metadataUrl,
    });
    const path = `${stage.path}/${applicationId}`;
    serve(theirs.replaceAll('/acs', '/acs2'));
    await owner.call('POST', `${path}/metadata/read`, {});
    expect((await owner.call<{ metadata: string }>('GET', path)).metadata).toContain('https://url.test/acs2');
    serve(theirs.replaceAll('url.test', 'other.test'));
    expect(await owner.verdict('POST', `${path}/metadata/read`, {})).toBe('400 metadataUrl');
    const pasted = await stage.application();
    expect(await owner.verdict('POST', at(pasted, '/metadata/read'), {})).toBe('404 saml.metadata_url_missing');
    expect(await owner.verdict('POST', stage.path, { name: 'File', metadataUrl: 'file:///etc/passwd' })).toMatch(
      /^400 /,
    );
  });

  it('is managed by who may manage applications there', async () => {
    const app = await stage.application();
    const viewer = await stage.world.manager(['ORG_OWNER_VIEWER'], stage.org);
    const stranger = await stage.world.manager(['ORG_OWNER']);
    expect(await viewer.verdict('GET', at(app))).toBe('200');
    expect(await viewer.verdict('DELETE', at(app))).toMatch(/^403 /);
    expect(await stranger.verdict('GET', at(app))).toMatch(/^404 /);
    expect(await stranger.verdict('DELETE', at(app))).toMatch(/^404 /);
    expect((await stranger.call<{ result?: unknown[] }>('GET', stage.path)).result ?? []).toEqual([]);
    const foreign = await stage.world.add.application({ org: stage.org });
    expect(await owner.verdict('GET', `${stage.path}/${foreign.id}`)).toMatch(/^404 /);
  });

  it('may have its addresses in plain http by SAML_ALLOW_HTTP', async () => {
    const { metadata } = await stage.application();
    const plain = metadata.replaceAll(/https:\/\/sp\d+\.test/g, 'http://plain.test');
    expect(await owner.verdict('POST', stage.path, { name: 'Plain', metadata: plain })).toBe('400 metadata');
    const open = await Stage.open({ SAML_ALLOW_HTTP: 'true' });
    try {
      expect(await open.owner.verdict('POST', open.path, { name: 'Plain', metadata: plain })).toBe('200');
    } finally {
      await open.close();
    }
  });
});
