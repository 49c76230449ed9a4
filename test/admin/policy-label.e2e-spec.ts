import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InstanceService } from '../../src/org/instance/instance.service.js';
import { type Reply, send } from '../support/http.js';
import { JPEG, PNG_SIGNATURE, png, pngHeader } from '../support/images.js';
import { startWorld, type World } from '../support/world.js';
import { codeOf, fieldsOf, managerOf, type PolicyCaller, type PolicyCast, policyCast } from './policy-api.js';

const INSTANCE = '/admin/v1/policies/label';
const ORG = '/management/v1/policies/label';
const DEFAULTS = {
  primaryColor: '#1d4a94',
  warnColor: '#b3261e',
  backgroundColor: '#f2f4f7',
  fontColor: '#14181f',
  primaryColorDark: '#a3c1fa',
  warnColorDark: '#ffb4ab',
  backgroundColorDark: '#0d1015',
  fontColorDark: '#e9ecf1',
  hideLoginNameSuffix: false,
  disableWatermark: false,
  themeMode: 'THEME_MODE_AUTO',
  logoUrl: '',
  logoUrlDark: '',
  iconUrl: '',
  iconUrlDark: '',
  fontUrl: '',
};

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mP4DwABAQEAHLCMmQAAAABJRU5ErkJggg==',
  'base64',
);
const SLOTS = [
  ['logo', 'logoUrl'],
  ['logo_dark', 'logoUrlDark'],
  ['icon', 'iconUrl'],
  ['icon_dark', 'iconUrlDark'],
] as const;

let world: World;
let cast: PolicyCast;
let instanceId: string;

beforeAll(async () => {
  world = await startWorld();
  cast = await policyCast(world);
  instanceId = (await world.get(InstanceService).get()).id;
});
afterAll(() => world.close());

async function newOwner(): Promise<PolicyCaller> {
  return managerOf(world, await world.add.org(), 'ORG_OWNER');
}

/** As a browser asks for it, without any token. */
async function fetchImage(url: string, headers: Record<string, string> = {}): Promise<Reply> {
  const { pathname, search } = new URL(url, world.origin);
  return send(world.origin, { path: pathname + search, headers });
}

describe('The label policy', () => {
  it('of a new instance has the colours of the pages', async () => {
    expect(await cast.viewer.policy(INSTANCE)).toMatchObject({
      ...DEFAULTS,
      isDefault: true,
      details: { resourceOwner: instanceId },
    });
    expect(await cast.viewer.policy(`${INSTANCE}/_preview`)).toMatchObject({ ...DEFAULTS, isDefault: true });
  });

  it('of an organization is changed in a preview, and seen once that is activated', async () => {
    const owner = await newOwner();
    expect(codeOf(await owner.ask('PUT', ORG, { primaryColor: '#abc' }))).toEqual([404, 5]);
    expect(codeOf(await owner.ask('POST', `${ORG}/_activate`))).toEqual([404, 5]);
    await owner.change('POST', ORG, { primaryColor: '#ABC', themeMode: 'THEME_MODE_DARK' });
    expect(codeOf(await owner.ask('POST', ORG, {}))).toEqual([409, 6]);
    expect(await owner.policy(`${ORG}/_preview`)).toMatchObject({
      primaryColor: '#ABC',
      fontColor: '',
      themeMode: 'THEME_MODE_DARK',
      isDefault: false,
    });
    expect(await owner.policy(ORG)).toMatchObject({ ...DEFAULTS, isDefault: true });

    const activated = await owner.change('POST', `${ORG}/_activate`);
    expect(await owner.policy(ORG)).toMatchObject({
      primaryColor: '#ABC',
      themeMode: 'THEME_MODE_DARK',
      isDefault: false,
      details: activated,
    });
    expect(await owner.change('POST', `${ORG}/_activate`)).toEqual(activated);

    const changed = await owner.change('PUT', ORG, { primaryColor: '#112233', disableWatermark: true });
    expect(await owner.change('PUT', ORG, { primaryColor: '#112233', disableWatermark: true })).toEqual(changed);
    expect(await owner.policy(ORG)).toMatchObject({ primaryColor: '#ABC', disableWatermark: false });
    await owner.change('POST', `${ORG}/_activate`);
    expect(await owner.policy(ORG)).toMatchObject({
      primaryColor: '#112233',
      disableWatermark: true,
      themeMode: 'THEME_MODE_AUTO',
    });
    expect(await owner.policy('/management/v1/policies/default/label')).toMatchObject(DEFAULTS);
    expect(await cast.ownerB.policy(ORG)).toMatchObject(DEFAULTS);

    await owner.change('DELETE', ORG);
    expect(await owner.policy(ORG)).toMatchObject({ ...DEFAULTS, isDefault: true });
    expect(await owner.policy(`${ORG}/_preview`)).toMatchObject({ ...DEFAULTS, isDefault: true });
    expect(codeOf(await owner.ask('DELETE', ORG))).toEqual([404, 5]);
    const events = await world.rows<{ type: string }>(
      "SELECT type FROM event WHERE aggregate_type = 'policy.label' AND aggregate_id = $1 ORDER BY sequence",
      [owner.orgId],
    );
    expect(events.map(({ type }) => type)).toEqual(
      ['added', 'activated', 'changed', 'activated', 'removed'].map((what) => `policy.label.${what}`),
    );
  });

  it('of the instance is changed and activated for organizations without one', async () => {
    const owner = await newOwner();
    await cast.iam.change('PUT', INSTANCE, { ...DEFAULTS, primaryColor: '#004400' });
    expect(await owner.policy(ORG)).toMatchObject({ primaryColor: '#1d4a94' });
    await cast.iam.change('POST', `${INSTANCE}/_activate`);
    expect(await owner.policy(ORG)).toMatchObject({ primaryColor: '#004400', isDefault: true });
    await cast.iam.change('PUT', INSTANCE, DEFAULTS);
    await cast.iam.change('POST', `${INSTANCE}/_activate`);
    expect(await owner.policy(ORG)).toMatchObject(DEFAULTS);
  });

  it.each([
    [{ primaryColor: 'red' }, 'primaryColor'],
    [{ warnColor: '#12' }, 'warnColor'],
    [{ backgroundColor: '#12345g' }, 'backgroundColor'],
    [{ fontColor: '#fff;background:url(//evil.test)' }, 'fontColor'],
    [{ primaryColorDark: ' #ffffff' }, 'primaryColorDark'],
    [{ warnColorDark: '#ffffffff' }, 'warnColorDark'],
    [{ backgroundColorDark: `#${'0'.repeat(60)}` }, 'backgroundColorDark'],
    [{ fontColorDark: 7 }, 'fontColorDark'],
    [{ themeMode: 'THEME_MODE_NEON' }, 'themeMode'],
  ])('refuses %j, naming the field', async (body, field) => {
    const reply = await cast.iam.ask('PUT', INSTANCE, body);
    expect([...codeOf(reply), [...new Set(fieldsOf(reply))]]).toEqual([400, 3, [field]]);
  });

  it('requires the permission, in the same organization [ADM-004]', async () => {
    const { ownerA, ownerB, viewerA, viewer } = cast;
    await ownerA.change('POST', ORG, { primaryColor: '#abcdef' });
    const before = await world.contents();
    for (const reply of [
      await viewer.ask('POST', `${INSTANCE}/_activate`),
      await ownerA.ask('PUT', INSTANCE, {}),
      await viewerA.ask('POST', `${ORG}/_activate`),
      await ownerB.about(ownerA.orgId).ask('PUT', ORG, {}),
      await ownerB.about(ownerA.orgId).ask('GET', `${ORG}/_preview`),
      await viewerA.upload(`${ORG}/logo`, 'image/png', PNG),
      await ownerA.upload(`${INSTANCE}/logo`, 'image/png', PNG),
      await viewerA.ask('DELETE', `${ORG}/logo`),
    ])
      expect(codeOf(reply)).toEqual([403, 7]);
    expect(await world.contents()).toBe(before);
  });

  it('is activated once by two at the same time', async () => {
    const owner = await newOwner();
    await owner.change('POST', ORG, { primaryColor: '#abcdef' });
    const replies = await Promise.all([1, 2, 3].map(() => owner.ask('POST', `${ORG}/_activate`)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await owner.policy(ORG)).toMatchObject({ primaryColor: '#abcdef', details: { sequence: '2' } });
  });
});

describe('The images of a label policy', () => {
  it.each(SLOTS)('%s: are set in the preview, shown to everybody once activated, and removed', async (path, url) => {
    const owner = await newOwner();
    expect(codeOf(await owner.upload(`${ORG}/${path}`, 'image/png', PNG))).toEqual([404, 5]);
    await owner.change('POST', ORG, {});
    expect((await owner.upload(`${ORG}/${path}`, 'image/png', PNG)).status).toBe(200);
    const seen = `/assets/${owner.orgId}/${path}`;
    expect((await fetchImage(seen)).status).toBe(404);
    const inPreview = await fetchImage(String((await owner.policy(`${ORG}/_preview`))[url]));
    expect([inPreview.status, inPreview.header('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);

    await owner.change('POST', `${ORG}/_activate`);
    const address = String((await owner.policy(ORG))[url]);
    expect(address).toMatch(new RegExp(`^${world.issuer}${seen}\\?v=[\\w-]{43}$`));
    const shown = await fetchImage(seen);
    expect([
      shown.status,
      shown.header('content-type'),
      shown.header('x-content-type-options'),
      shown.header('cache-control'),
    ]).toEqual([200, 'image/png', 'nosniff', 'public, max-age=300']);
    expect(shown.header('content-length')).toBe(String(PNG.length));
    expect(shown.header('content-security-policy')).toContain("default-src 'none'");
    expect((await fetchImage(seen, { 'If-None-Match': shown.header('etag')! })).status).toBe(304);

    await owner.change('DELETE', `${ORG}/${path}`);
    expect((await fetchImage(seen)).status).toBe(200);
    await owner.change('POST', `${ORG}/_activate`);
    expect((await fetchImage(seen)).status).toBe(404);
    expect((await fetchImage(address)).status).toBe(404);
    expect((await owner.policy(ORG))[url]).toBe('');
    expect(await world.rows('SELECT 1 FROM label_image WHERE owner_id = $1', [owner.orgId])).toEqual([]);
  });

  it('are taken in JSON as well, and the same again or none to remove changes nothing', async () => {
    const owner = await newOwner();
    await owner.change('POST', ORG, {});
    const set = await owner.change('PUT', `${ORG}/logo`, { content: PNG.toString('base64') });
    expect((await owner.upload(`${ORG}/logo`, 'image/png', PNG)).json()).toEqual({ details: set });
    expect(await owner.change('DELETE', `${ORG}/icon`)).toEqual(set);
    await owner.change('PUT', ORG, { primaryColor: '#123456' });
    expect((await owner.policy(`${ORG}/_preview`))['logoUrl']).not.toBe('');
  });

  it('of the instance are at the address of the instance', async () => {
    await cast.iam.upload(`${INSTANCE}/logo`, 'image/jpeg', JPEG);
    await cast.iam.change('POST', `${INSTANCE}/_activate`);
    const reply = await fetchImage(`/assets/${instanceId}/logo`);
    expect([reply.status, reply.header('content-type')]).toEqual([200, 'image/jpeg']);
    expect((await cast.ownerB.policy(ORG))['logoUrl']).toContain(`/assets/${instanceId}/logo?v=`);
    await cast.iam.change('DELETE', `${INSTANCE}/logo`);
    await cast.iam.change('POST', `${INSTANCE}/_activate`);
  });

  it('end with the policy of the organization', async () => {
    const owner = await newOwner();
    await owner.change('POST', ORG, {});
    await owner.upload(`${ORG}/logo`, 'image/png', PNG);
    await owner.change('POST', `${ORG}/_activate`);
    await owner.change('DELETE', ORG);
    expect((await fetchImage(`/assets/${owner.orgId}/logo`)).status).toBe(404);
    expect(await world.rows('SELECT 1 FROM label_image WHERE owner_id = $1', [owner.orgId])).toEqual([]);
  });

  it.each<[string, string, Buffer]>([
    ['an SVG', 'image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['an SVG that calls itself a PNG', 'image/png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a page that calls itself a JPEG', 'image/jpeg', Buffer.from('<html><script>alert(1)</script></html>')],
    ['a GIF', 'image/gif', Buffer.from('GIF89a')],
    ['nothing', 'image/png', Buffer.alloc(0)],
    [
      'a PNG that says it is 2^31 pixels wide and high',
      'image/png',
      Buffer.concat([PNG_SIGNATURE, pngHeader(2_147_483_648, 2_147_483_648), PNG.subarray(33)]),
    ],
    ['a JPEG that does not say its size', 'image/jpeg', JPEG.subarray(0, 20)],
    ['more than 512 kB', 'image/png', Buffer.concat([PNG, Buffer.alloc(524_288)])],
    ['another kind of body', 'text/plain', PNG],
    ['JSON without an image', 'application/json', Buffer.from('{}')],
    ['JSON with half of base64', 'application/json', Buffer.from('{"content":"%%"}')],
  ])('are never %s', async (_, contentType, body) => {
    const before = await world.contents();
    expect(codeOf(await cast.iam.upload(`${INSTANCE}/logo`, contentType, body))).toEqual([400, 3]);
    expect(await world.contents()).toBe(before);
  });

  it('may have 512 kB, and hold comments', async () => {
    const owner = await newOwner();
    await owner.change('POST', ORG, {});
    expect((await owner.upload(`${ORG}/logo`, 'image/png', png({ bytes: 524_288 }))).status).toBe(200);
  });

  it.each([
    '/assets/1/logo',
    '/assets/1/font',
    '/assets/%00/logo',
    "/assets/'/logo",
    `/assets/${'1'.repeat(300)}/logo`,
    '/assets/..%2f/logo',
    '/assets/1/logo?v=%00',
    '/assets/1/logo?v=x&v=y',
  ])('answers 404 at %s', async (path) => {
    expect((await fetchImage(path)).status).toBe(404);
  });
});

describe('The preview of the login page', () => {
  it('has the colors and the logo of the preview, the name and language asked for, and needs nothing else', async () => {
    const owner = await newOwner();
    await owner.change('POST', ORG, { primaryColor: '#aa2211' });
    await owner.upload(`${ORG}/logo`, 'image/png', PNG);
    const html = async (query = ''): Promise<string> =>
      (await owner.ask('GET', `${ORG}/_preview/page${query}`)).json<{ html: string }>().html;
    const page = await html('?language=de');
    expect(page).toContain('<html lang="de"');
    expect(page).toContain(`src="data:image/png;base64,${PNG.toString('base64')}"`);
    expect(page).toMatch(/<style>[\s\S]*#aa2211/i);
    expect(page.replace(/data:image[^"]*/g, '')).not.toMatch(/<link rel="stylesheet"|<script/);
    expect(await html()).toContain('<html lang="en"');
  });

  it('of the instance is for those who may read its policies', async () => {
    expect((await cast.iam.ask('GET', `${INSTANCE}/_preview/page`)).status).toBe(200);
    expect((await (await newOwner()).ask('GET', `${INSTANCE}/_preview/page`)).status).toBe(403);
  });
});
