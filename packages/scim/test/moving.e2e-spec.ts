import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AdminApi, startWorld, type TestOrg, type World } from 'gatehouse/testing';
import scim from '../src/scim.extension.js';
import { addDirectory, Directory, type Resource, tokenOf } from './support/directory.js';

interface Document {
  readonly orgs: Array<Record<string, unknown> & { readonly extensions: { readonly scim: Rows } }>;
  readonly leftOut: readonly string[];
}
type Rows = Record<'provisioned_user' | 'provisioned_value' | 'provisioned_group', Array<Record<string, unknown>>>;

let source: World;
let target: World;
let [from, to]: AdminApi[] = [];
let org: TestOrg;
let directory: Directory;
let anna: Resource;
let crew: Resource;
let document: Document;

const exported = async (api: AdminApi): Promise<Document> =>
  api.call('POST', '/admin/v1/export', { orgIds: [org.id], withPasswords: true, withKeys: true, withOtp: true });

beforeAll(async () => {
  source = await startWorld({ extensions: [scim] });
  target = await startWorld({ extensions: [scim] });
  [from, to] = [await source.manager(['IAM_OWNER']), await target.manager(['IAM_OWNER'])];
  org = await source.add.organization();
  directory = await addDirectory(source, org);
  anna = await directory.add({
    externalId: 'A-1',
    emails: [
      { value: 'anna@mail.test', type: 'work', primary: true },
      { value: 'anna@home.test', type: 'home' },
    ],
  });
  crew = await directory.addGroup({ externalId: 'G-1', members: [{ value: anna.id }] });
  document = await exported(from);
});
afterAll(async () => {
  await source.close();
  await target.close();
});

describe('An organization that a directory provisions', () => {
  it('is exported with what the directory has said', () => {
    expect(document.orgs[0]!.extensions.scim).toEqual({
      provisioned_user: [expect.objectContaining({ user_id: anna.id, directory_id: directory.id, external_id: 'A-1' })],
      provisioned_value: [expect.objectContaining({ user_id: anna.id, value_key: 'anna@home.test' })],
      provisioned_group: [{ group_id: crew.id, directory_id: directory.id, external_id: 'G-1', revision: 0 }],
    });
    expect(document.leftOut.filter((kind) => kind.startsWith('ext_'))).toEqual([]);
  });

  it('moves to another instance, where exporting it again gives an equal document [EXP-031]', async () => {
    await to!.call('POST', '/admin/v1/import', { dataOrgs: { orgs: document.orgs } });
    expect(await exported(to!)).toEqual(document);
  });

  it('is provisioned there by the same directory, which finds its people by its own IDs', async () => {
    const owner = await target.manager(['ORG_OWNER'], org);
    const there = new Directory(target, org.id, directory.id, await tokenOf(owner, directory.id));
    expect(await there.find('externalId eq "A-1"')).toEqual([anna.userName]);
    expect(await there.find('emails.value eq "anna@home.test"')).toEqual([anna.userName]);
    expect(await there.find('externalId eq "G-1"', '/Groups')).toEqual([crew['displayName']]);
    const plain = ({ meta: _, groups: __, ...resource }: Resource): object => resource;
    expect(plain(await there.call('GET', `/Users/${anna.id}`))).toEqual(
      plain(await directory.call('GET', `/Users/${anna.id}`)),
    );
    expect((await there.patch(anna.id, { op: 'replace', path: 'displayName', value: 'Anna' })).status).toBe(200);
  });

  it('is refused with rows that no directory could have made', async () => {
    const [first] = structuredClone(document.orgs);
    first!.extensions.scim.provisioned_user[0]!['said'] = [];
    expect(await to!.verdict('POST', '/admin/v1/import', { dataOrgs: { orgs: [first] } })).toBe(
      '400 orgs[0].extensions.scim.provisioned_user[0]',
    );
  });
});
