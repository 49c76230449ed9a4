import { Agent, request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AdminApi, callerWith, verdictOf } from '../support/admin-api.js';
import { type Reply, send } from '../support/http.js';
import { JPEG, PNG_SIGNATURE, png, pngHeader } from '../support/images.js';
import { bearer } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';

const PNG = png({ width: 3, height: 2 });

let world: World;
let iam: AdminApi;

beforeAll(async () => {
  world = await startWorld();
  iam = (await callerWith(world, await world.add.org(), ['IAM_OWNER'])).api;
});
afterAll(() => world.close());

interface Sent {
  readonly content?: Buffer;
  readonly field?: string;
  readonly fileName?: string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** As infrastructure tools send a file: one part, with the type that they think it has. */
function formOf({ content = PNG, field = 'file', fileName = 'logo.png', type = 'image/png' }: Sent): Buffer {
  const head = `--edge\r\nContent-Disposition: form-data; name="${field}"; filename="${fileName}"\r\nContent-Type: ${type}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), content, Buffer.from('\r\n--edge--\r\n')]);
}

async function upload(api: AdminApi, path: string, sent: Sent = {}): Promise<Reply> {
  return post(api, path, formOf(sent), { 'Content-Type': 'multipart/form-data; boundary=edge', ...sent.headers });
}

async function post(
  api: AdminApi,
  path: string,
  body: Buffer,
  headers: Readonly<Record<string, string>>,
): Promise<Reply> {
  return send(world.origin, {
    method: 'POST',
    path: `/assets/v1/${path}`,
    headers: { ...bearer(api.token), ...headers },
    body,
  });
}

async function download(
  api: AdminApi,
  path: string,
): Promise<{ status: number; type: string | undefined; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      `${world.origin}/assets/v1/${path}`,
      { headers: bearer(api.token), agent: new Agent() },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            type: response.headers['content-type'],
            body: Buffer.concat(chunks),
          }),
        );
      },
    );
    request.on('error', reject).end();
  });
}

async function newOwner(): Promise<AdminApi> {
  const { api } = await callerWith(world, await world.add.org(), ['ORG_OWNER']);
  await api.call('POST', '/management/v1/policies/label', {});
  return api;
}

describe('The images of a label policy as files', () => {
  it.each(['logo', 'logo/dark', 'icon', 'icon/dark'])(
    '%s: are sent by a form, seen in the preview, and by everybody once that is activated',
    async (image) => {
      const owner = await newOwner();
      const path = `org/policy/label/${image}`;
      expect((await download(owner, path)).status).toBe(404);
      expect((await upload(owner, path)).json()).toMatchObject({ details: { resourceOwner: expect.any(String) } });
      expect(await download(owner, `${path}/_preview`)).toEqual({ status: 200, type: 'image/png', body: PNG });
      expect((await download(owner, path)).status).toBe(404);
      await owner.call('POST', '/management/v1/policies/label/_activate', {});
      expect(await download(owner, path)).toEqual({ status: 200, type: 'image/png', body: PNG });
      const { policy } = await owner.call('GET', '/management/v1/policies/label');
      const url = policy[
        { logo: 'logoUrl', 'logo/dark': 'logoUrlDark', icon: 'iconUrl', 'icon/dark': 'iconUrlDark' }[image]!
      ] as string;
      expect((await send(world.origin, { path: url.slice(url.indexOf('/assets/')) })).status).toBe(200);
      await owner.call('DELETE', `/management/v1/policies/label/${image.replace('/', '_')}`);
      expect((await download(owner, `${path}/_preview`)).status).toBe(404);
    },
  );

  it('are those of the instance at its own path, and where an organization has none', async () => {
    const owner = (await callerWith(world, await world.add.org(), ['ORG_OWNER'])).api;
    expect((await upload(iam, 'instance/policy/label/logo', { content: JPEG, type: 'image/jpeg' })).status).toBe(200);
    expect((await download(owner, 'org/policy/label/logo/_preview')).body).toEqual(JPEG);
    expect(await download(iam, 'instance/policy/label/logo/_preview')).toEqual({
      status: 200,
      type: 'image/jpeg',
      body: JPEG,
    });
    expect(verdictOf(await upload(owner, 'org/policy/label/logo'))).toBe('404 policy.not_found');
  });

  it('are of the organization that the header names', async () => {
    const owner = await newOwner();
    const {
      policy: { details },
    } = await owner.call('GET', '/management/v1/policies/label/_preview');
    expect(
      (await upload(iam, 'org/policy/label/logo', { headers: { 'x-service-orgid': details.resourceOwner } })).status,
    ).toBe(200);
    expect((await download(owner, 'org/policy/label/logo/_preview')).status).toBe(200);
  });

  it('are judged by their bytes, whatever the sender calls them', async () => {
    const owner = await newOwner();
    expect(
      (await upload(owner, 'org/policy/label/logo', { type: 'text/html; charset=utf-8', fileName: '../../x.html' }))
        .status,
    ).toBe(200);
    expect((await download(owner, 'org/policy/label/logo/_preview')).type).toBe('image/png');
  });

  it('are sent and fetched by those who may write and read the policy', async () => {
    const viewer = (await callerWith(world, await world.add.org(), ['ORG_OWNER_VIEWER'])).api;
    const nobody = (await callerWith(world, await world.add.org(), [])).api;
    expect(verdictOf(await upload(viewer, 'org/policy/label/logo'))).toBe('403 permission.missing');
    for (const path of ['instance/policy/label/logo', 'org/policy/label/logo'])
      expect(verdictOf(await upload(nobody, path))).toBe('403 permission.missing');
    expect((await download(nobody, 'org/policy/label/logo')).status).toBe(403);
    expect((await download(await newOwner(), 'instance/policy/label/logo')).status).toBe(403);
    expect((await send(world.origin, { method: 'POST', path: '/assets/v1/org/policy/label/logo' })).status).toBe(401);
  });

  it.each<[string, Sent, string]>([
    [
      'an SVG',
      { content: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), type: 'image/svg+xml' },
      '400 policy.image_unreadable',
    ],
    [
      'a PNG of 5,000 pixels each way',
      { content: Buffer.concat([PNG_SIGNATURE, pngHeader(5_000, 5_000), PNG.subarray(33)]) },
      '400 policy.image_unreadable',
    ],
    ['more than 512 kB', { content: png({ bytes: 524_289 }) }, '400 policy.image_too_large'],
    ['much more', { content: Buffer.alloc(2_000_000) }, '400 policy.image_too_large'],
    ['another field', { field: 'logo' }, '400 body.file_missing'],
    ['another boundary', { headers: { 'Content-Type': 'multipart/form-data; boundary=other' } }, '400 body.unreadable'],
    ['no boundary', { headers: { 'Content-Type': 'multipart/form-data' } }, '400 body.not_a_file_form'],
    ['an image as the body', { headers: { 'Content-Type': 'image/png' } }, '400 body.not_a_file_form'],
    ['a packed body', { headers: { 'Content-Encoding': 'gzip' } }, '400 body.encoded'],
  ])('are never %s', async (_, sent, verdict) => {
    const owner = await newOwner();
    expect(verdictOf(await upload(owner, 'org/policy/label/logo', sent))).toBe(verdict);
    expect((await download(owner, 'org/policy/label/logo/_preview')).body).not.toEqual(PNG);
  });

  it('are refused if a form has two files, or none', async () => {
    const owner = await newOwner();
    const one = formOf({}).toString('latin1');
    const twice = Buffer.from(one.replace('--edge--', `${one.slice(2).replace('edge', '--edge')}`), 'latin1');
    const text = Buffer.from('--edge\r\nContent-Disposition: form-data; name="file"\r\n\r\nabc\r\n--edge--\r\n');
    for (const body of [twice, text]) {
      expect(
        verdictOf(
          await post(owner, 'org/policy/label/logo', body, { 'Content-Type': 'multipart/form-data; boundary=edge' }),
        ),
      ).toBe('400 body.file_missing');
    }
  });

  it('cannot be fonts: a clear refusal for tools that set one; other paths are unknown, in JSON', async () => {
    const owner = await newOwner();
    const reply = await upload(owner, 'org/policy/label/font');
    expect([verdictOf(reply), reply.json<{ message: string }>().message]).toEqual([
      '400 policy.fonts_not_taken',
      expect.stringContaining('fonts are not supported'),
    ]);
    expect(verdictOf(await upload(owner, 'org/policy/label/constructor'))).toBe('404 policy.image_not_found');
    const unknown = await send(world.origin, { method: 'POST', path: '/assets/v1/users/me/avatar' });
    expect([unknown.status, unknown.header('content-type')]).toEqual([
      404,
      expect.stringContaining('application/json'),
    ]);
  });
});
