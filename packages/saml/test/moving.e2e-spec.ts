import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AdminApi, startWorld, type World } from 'gatehouse/testing';
import saml from '../src/saml.extension.js';
import type { ServiceProviderPeer } from './support/service-provider.js';
import { Stage } from './support/stage.js';
import type { Visitor } from './support/visitor.js';

interface Document {
  readonly orgs: Array<Record<string, unknown> & { readonly extensions: Rows }>;
  readonly leftOut: readonly string[];
}
interface Rows {
  readonly saml: {
    readonly application: Array<Record<string, unknown>>;
    readonly name_id: Array<Record<string, unknown>>;
  };
}

let stage: Stage;
let target: World;
let [from, to]: AdminApi[] = [];
let wiki: ServiceProviderPeer;
let anna: Visitor;
let document: Document;

const exported = async (api: AdminApi): Promise<Document> =>
  api.call('POST', '/admin/v1/export', { orgIds: [stage.org.id], withPasswords: true });
const verdict = async (orgs: unknown): Promise<string> =>
  to!.verdict('POST', '/admin/v1/import', { dataOrgs: { orgs } });
/** The document with another row of the application. */
const withApplication = (change: object): unknown => {
  const [org] = structuredClone(document.orgs);
  Object.assign(org!.extensions.saml.application[0]!, change);
  return [org];
};

beforeAll(async () => {
  stage = await Stage.open();
  target = await startWorld({ extensions: [saml] });
  [from, to] = [await stage.world.manager(['IAM_OWNER']), await target.manager(['IAM_OWNER'])];
  wiki = await stage.application({ attributes: [{ source: 'email', name: 'mail' }] });
  anna = await stage.visitor();
  await anna.enter(wiki);
  document = await exported(from);
});
afterAll(async () => {
  await stage.close();
  await target.close();
});

describe('An organization whose people sign in by SAML', () => {
  it('is exported with its applications and the names of its users, without certificates and sign-ins', () => {
    const [org] = document.orgs;
    expect(org).toMatchObject({
      extensionApps: [{ appId: wiki.id, app: { name: wiki.host, kind: 'ext:saml' } }],
      extensions: {
        saml: {
          application: [{ client_id: wiki.id, entity_id: wiki.entityId, metadata: wiki.metadata }],
          name_id: [{ client_id: wiki.id, user_id: anna.person.id, value: expect.stringMatching(/^[0-9a-f]{40}$/) }],
        },
      },
    });
    expect(document.leftOut.filter((kind) => kind.startsWith('ext_'))).toEqual([
      'ext_saml.certificate',
      'ext_saml.logout',
      'ext_saml.participant',
      'ext_saml.provider_metadata',
    ]);
  });

  it.each<[string, object, RegExp]>([
    ['metadata that cannot be read', { metadata: '<a/>' }, /application\[0\]$/],
    ['metadata of another entity', { entity_id: 'https://other.test' }, /application\[0\]$/],
    ['another format of names', { name_id_format: 'entity' }, /application\[0\]$/],
    ['attributes of another form', { attributes: { mail: 'email' } }, /application\[0\]$/],
    ['the client of nobody', { client_id: 'nobody' }, /application\[0\]/],
    ['a wrong type', { allow_idp_initiated: 'yes' }, /application\[0\]\.allow_idp_initiated$/],
  ])('is refused with %s, as the operations would refuse it [EXP-021]', async (_, change, where) => {
    expect(await verdict(withApplication(change))).toMatch(/^400 /);
    expect(await verdict(withApplication(change))).toMatch(where);
  });

  it('moves to another instance, where exporting it again gives an equal document [EXP-031]', async () => {
    expect(await verdict(document.orgs)).toBe('200');
    expect(await exported(to!)).toEqual(document);
    expect(await verdict(document.orgs)).toBe('200');
    expect(await exported(to!)).toEqual(document);
  });

  it('has its application there, as its managers see it', async () => {
    const owner = await target.manager(['ORG_OWNER'], stage.org);
    const found = await owner.call('GET', `${stage.path}/${wiki.id}`);
    expect(found).toMatchObject({ entityId: wiki.entityId, state: 'active' });
  });
});
