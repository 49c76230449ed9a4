import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MAX_IMAGE_BYTES } from '../../src/org/policy/image-format.js';
import { type AdminApi, callerWith, type Json } from '../support/admin-api.js';
import { type Reply, send } from '../support/http.js';
import { PNG_SIGNATURE, png, pngHeader } from '../support/images.js';
import { startWorld } from '../support/world.js';
import { JPEG, PNG } from './document.js';

const world = await startWorld();
let api: AdminApi;

beforeAll(async () => {
  ({ api } = await callerWith(world, await world.add.org(), ['IAM_OWNER']));
});
afterAll(() => world.close());

const SLOTS = [
  ['logoImage', 'logoUrl'],
  ['logoDarkImage', 'logoUrlDark'],
  ['iconImage', 'iconUrl'],
  ['iconDarkImage', 'iconUrlDark'],
] as const;
const bring = (orgId: string, labelPolicy: Json, more: Json = {}): Promise<Reply> =>
  api.ask('POST', '/admin/v1/import', { data_orgs: { orgs: [{ orgId, org: { name: orgId }, labelPolicy }] }, ...more });
const exported = async (orgId: string): Promise<Json> =>
  (await api.call('POST', '/admin/v1/export', { orgIds: [orgId] })).orgs[0].labelPolicy;
/** As the body of an answer is read. */
const asText = (image: string): string => Buffer.from(image, 'base64').toString();
const imagesOf = (orgId: string): Promise<unknown[]> =>
  world.rows('SELECT digest FROM label_image WHERE owner_id = $1', [orgId]);
const pngOf = (bytes: number, shade: number): string => png({ bytes, shade }).toString('base64');
const fieldsOf = (reply: Reply): unknown =>
  reply
    .json<{ details?: Array<{ fieldViolations?: Array<{ field: string }> }> }>()
    .details?.[0]?.fieldViolations?.map(({ field }) => field);

async function shown(orgId: string, path = ''): Promise<unknown[]> {
  const { policy } = await api.about(orgId).call('GET', `/management/v1/policies/label${path}`);
  return Promise.all(
    SLOTS.map(async ([, member]) => {
      const { pathname, search } = new URL(policy[member], world.origin);
      const reply = await send(world.origin, { path: pathname + search });
      return [reply.status, reply.header('content-type'), reply.text];
    }),
  );
}

describe('Images of a label policy', () => {
  it('are imported: users see them, and the next change of the policy keeps them', async () => {
    expect(
      (await bring('seen', { logoImage: PNG, logoDarkImage: JPEG, iconImage: JPEG, iconDarkImage: PNG })).status,
    ).toBe(200);
    const expected = [
      [200, 'image/png', asText(PNG)],
      [200, 'image/jpeg', asText(JPEG)],
      [200, 'image/jpeg', asText(JPEG)],
      [200, 'image/png', asText(PNG)],
    ];
    expect(await shown('seen')).toEqual(expected);
    expect(await shown('seen', '/_preview')).toEqual(expected);
  });

  it('are exported when they were uploaded and activated', async () => {
    const about = api.about('uploaded');
    expect((await bring('uploaded', { primaryColor: '#112233' })).status).toBe(200);
    await about.call('PUT', '/management/v1/policies/label/logo', { content: PNG });
    expect(await exported('uploaded')).toEqual({ primaryColor: '#112233', themeMode: 'THEME_MODE_AUTO' });
    await about.call('POST', '/management/v1/policies/label/_activate');
    expect(await exported('uploaded')).toEqual({
      primaryColor: '#112233',
      themeMode: 'THEME_MODE_AUTO',
      logoImage: PNG,
    });
  });

  it('may all be as large as uploads', async () => {
    const labelPolicy = Object.fromEntries(SLOTS.map(([name], place) => [name, pngOf(MAX_IMAGE_BYTES, place)]));
    expect((await bring('large', labelPolicy)).status).toBe(200);
    expect(await imagesOf('large')).toHaveLength(4);
    const found = await exported('large');
    for (const [name] of SLOTS) expect([name, found[name] === labelPolicy[name]]).toEqual([name, true]); // half a megabyte each: not to be shown
  });

  it('are refused for the same reasons as an upload: too large, too wide, or neither PNG nor JPEG', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>').toString(
      'base64',
    );
    const wide = Buffer.concat([PNG_SIGNATURE, pngHeader(5_000, 5_000)]).toString('base64');
    for (const [bad, name] of [
      [svg, 'logoImage'],
      [wide, 'logoDarkImage'],
      [pngOf(MAX_IMAGE_BYTES + 1, 0), 'iconDarkImage'],
      ['*', 'iconImage'],
    ] as const) {
      const reply = await bring('refused', { [name]: bad });
      expect([reply.status, fieldsOf(reply)]).toEqual([400, [`orgs[0].labelPolicy.${name}`]]);
    }
    expect(await world.rows(`SELECT 1 FROM org WHERE id = 'refused'`)).toEqual([]);
  });

  it('are a conflict if they differ from the stored ones, and leave nothing behind if they are left out', async () => {
    expect((await bring('kept', { logoImage: PNG })).status).toBe(200);
    expect((await bring('kept', { logoImage: PNG })).status).toBe(200);
    for (const other of [{ logoImage: JPEG }, {}]) {
      const reply = await bring('kept', other);
      expect([reply.status, fieldsOf(reply)]).toEqual([409, ['orgs[0].labelPolicy']]);
    }
    const skipped = await bring('kept', { logoImage: JPEG }, { on_conflict: 'skip' });
    expect([
      skipped.status,
      skipped.json<{ errors: Array<{ type: string }> }>().errors.map(({ type }) => type),
    ]).toEqual([200, ['label_policy']]);
    expect(await imagesOf('kept')).toHaveLength(1);
    expect((await shown('kept'))[0]).toEqual([200, 'image/png', asText(PNG)]);
  });
});
