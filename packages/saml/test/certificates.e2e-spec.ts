import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AdminApi } from 'gatehouse/testing';
import { readCertificate } from '../src/signature/certificate.js';
import type { ServiceProviderPeer } from './support/service-provider.js';
import { Stage } from './support/stage.js';

const PATH = '/admin/v1/ext/saml/certificates';

interface Listed {
  readonly result: ReadonlyArray<{ state: string; fingerprint: string; certificate: string; notAfter: string }>;
}

let stage: Stage;
let app: ServiceProviderPeer;
let administrator: AdminApi;

beforeAll(async () => {
  stage = await Stage.open();
  app = await stage.application();
  administrator = await stage.world.manager(['IAM_OWNER']);
});
afterAll(() => stage.close());

const announced = async (): Promise<readonly string[]> =>
  (await app.identityProvider()).signingCertificates.map(({ fingerprint }) => fingerprint);
const listed = async (): Promise<readonly string[]> =>
  (await administrator.call<Listed>('GET', PATH)).result.map(({ state }) => state);

describe('The certificate that signs', () => {
  it('is made at first need, once, however many processes need it', async () => {
    const replica = await stage.world.replica();
    const [one, other] = await Promise.all(
      [stage.world, replica].map((place) => place.send({ path: '/saml/v2/metadata' })),
    );
    const certificateIn = (text: string): string | undefined => /<ds:X509Certificate>([^<]*)/.exec(text)?.[1];
    expect(certificateIn(one!.text)).toBe(certificateIn(other!.text));
    await replica.close();
    const { text } = await stage.world.send({ path: '/saml/v2/certificate' });
    const { notAfter, fingerprint } = readCertificate(text);
    expect(await announced()).toEqual([fingerprint]);
    const years = new Date(stage.world.clock.now());
    years.setUTCFullYear(years.getUTCFullYear() + 3);
    expect(notAfter).toEqual(years);
    const [row] = await stage.world.sql<{ private_key: string }>`SELECT private_key FROM ext_saml.certificate`;
    expect(row!.private_key).not.toContain('PRIVATE KEY');
  });

  it('has a successor in the metadata 90 days before its end, and signs on until it is rotated', async () => {
    expect(await administrator.verdict('POST', `${PATH}/rotate`, {})).toBe('404 saml.next_certificate_missing');
    const [first] = await announced();
    stage.world.clock.advance('1000d');
    expect(await announced()).toEqual([first]);
    stage.world.clock.advance('10d');
    const [, next] = await announced();
    expect(next).toBeDefined();
    expect(await listed()).toEqual(['current', 'next']);
    stage.world.clock.advance('200d');
    const anna = await stage.visitor();
    expect((await anna.enter(app)).nameId).toBeDefined();
    expect(readCertificate((await stage.world.send({ path: '/saml/v2/certificate' })).text).fingerprint).toBe(first);
    const owner = await stage.world.manager(['IAM_OWNER']);
    expect(await owner.verdict('POST', `${PATH}/rotate`, {})).toBe('200');
    expect(await announced()).toEqual([next]);
    expect((await (await stage.visitor()).enter(app)).nameId).toBeDefined();
    stage.world.clock.set();
  });

  it('may be followed earlier, by an administrator of the instance alone', async () => {
    expect(await stage.owner.verdict('POST', PATH, {})).toMatch(/^403 /);
    expect(await stage.owner.verdict('POST', `${PATH}/rotate`, {})).toMatch(/^403 /);
    const viewer = await stage.world.manager(['IAM_OWNER_VIEWER']);
    expect(await viewer.verdict('GET', PATH)).toBe('200');
    expect(await viewer.verdict('POST', PATH, {})).toMatch(/^403 /);
    await administrator.call('POST', PATH, {});
    const before = await announced();
    await administrator.call('POST', PATH, {});
    expect(await announced()).toEqual(before);
    await administrator.call('POST', `${PATH}/rotate`, {});
    expect(await announced()).toEqual(before.slice(1));
    const events = await stage.world.sql<{
      type: string;
    }>`SELECT type FROM event WHERE type LIKE 'ext.saml.certificate.%'
      ORDER BY tx, position`;
    expect(events.map(({ type }) => type.split('.').at(-1))).toEqual(['added', 'added', 'rotated', 'added', 'rotated']);
  });
});
