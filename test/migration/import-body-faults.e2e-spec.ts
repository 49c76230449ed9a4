import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type AdminApi, callerWith, type Json } from '../support/admin-api.js';
import { send } from '../support/http.js';
import { bearer } from '../support/relying-party.js';
import { startWorld } from '../support/world.js';
import { fullDocument } from './document.js';
import { contentsOf, fieldsOf } from './import-refusal.js';

const world = await startWorld();
let api: AdminApi;
let before: string;

beforeAll(async () => {
  const home = await world.add.org();
  api = (await callerWith(world, home, ['IAM_OWNER'])).api;
});
beforeEach(async () => {
  before = await contentsOf(world);
});
afterAll(() => world.close());

describe('A document with faults is refused as a whole, and each fault is named with its path', () => {
  it('refuses a truncated document, wherever it ends [EXP-013]', async () => {
    const whole = JSON.stringify({ data_orgs: fullDocument() });
    for (let time = 0; time < 10; time += 1) {
      const reply = await api.ask(
        'POST',
        '/admin/v1/import',
        whole.slice(0, Math.floor((whole.length * (time + 0.5)) / 10)),
      );
      expect([reply.status, reply.json<{ details: Array<{ id: string }> }>().details[0]?.id]).toEqual([
        400,
        'import.document_broken',
      ]);
    }
    expect(await contentsOf(world)).toBe(before);
  });

  it.each([
    '',
    'null',
    '[]',
    '"x"',
    '1',
    '{"data_orgs":{"orgs":[]}}}',
    '{"data_orgs":{"orgs":[],}}',
    '{"data_orgs":{"orgs":[] "x":1}}',
    '{"data_orgs":[]}',
    '{"data_orgs":"garbage"}',
    '{"data_orgs":7}',
    '{}',
    '{"data_orgs":{"orgs":[]},"data_orgsv1":{"orgs":[]}}',
    '{"data_orgs":{"orgs":[7]}}',
    '{"data_orgs":{"orgs":{}}}',
    '{"data_orgs":{"orgs":[]},"data_orgsv1_objstore":{"path":"x"}}',
    `{"data_orgs":{"orgs":[{"orgId":"x","org":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}]}}`,
  ])('refuses the body %.80s [EXP-013, EXP-014, EXP-023]', async (body) => {
    expect((await api.ask('POST', '/admin/v1/import', body)).status).toBe(400);
    expect(await contentsOf(world)).toBe(before);
  });

  it.each(['10', 'abc', '-5s', '0s', '1d', ' 5s', `${'9'.repeat(400)}h`, 'NaNs', '25h'])(
    'refuses the timeout %.20s, of an export and of an import [EXP-005]',
    async (timeout) => {
      expect(await api.verdict('POST', '/admin/v1/import', { data_orgs: { orgs: [] }, timeout })).toBe('400 timeout');
      expect(await api.verdict('POST', '/admin/v1/export', { orgIds: ['none'], timeout })).toBe('400 timeout');
    },
  );

  it.each<[string, string | Buffer, string]>([
    [
      'marks of a merge',
      '{"data_orgs":{"orgs":[\n<<<<<<< HEAD\n]}}',
      'at line 2, column 1 (byte 10): there are the marks',
    ],
    ['UTF-16', Buffer.from('\ufeff{"data_orgs":{}}', 'utf16le'), 'The request seems to be in UTF-16LE'],
    ['Latin-1', Buffer.from('{"data_orgs":{\n"\xfc":1}}', 'latin1'), 'is not UTF-8 at line 2, column 2 (byte 3)'],
    ['a byte order mark alone', '\ufeff{"data_orgs":{"orgs":[]}}', 'The document contains no organizations'],
  ])('says of a body with %s what is wrong, and where', async (_, body, message) => {
    const headers = { ...bearer(api.token), 'Content-Type': 'application/json' };
    const reply = await send(world.origin, { method: 'POST', path: '/admin/v1/import', headers, body });
    expect([reply.status, reply.json<{ message: string }>().message]).toEqual([400, expect.stringContaining(message)]);
  });

  it('lets no member change a prototype, and names unknown members [EXP-019]', async () => {
    const text = JSON.stringify({ data_orgs: fullDocument() }).replace(
      '"orgId"',
      '"__proto__":{"isAdmin":true},"instanceMembers":[{"roles":["IAM_OWNER"]}],"personalAccessTokens":[{}],"orgId"',
    );
    const reply = await api.ask('POST', '/admin/v1/import', text);
    expect([reply.status, fieldsOf(reply)]).toEqual([
      400,
      ['orgs[0].__proto__', 'orgs[0].instanceMembers', 'orgs[0].personalAccessTokens'],
    ]);
    expect(await contentsOf(world)).toBe(before);
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
  });
});

describe('Requests without a readable document', () => {
  const file = { path: 'x', bucket: 'y', serviceaccountJson: 'e30=' };
  it.each<[string, string, Json | string]>([
    ['400 import.source', 'import', {}],
    ['400 import.source', 'import', { data_orgs: { orgs: [] }, data_orgsv1: { orgs: [] } }],
    ['400 import.document_broken', 'import', '{"data_orgs":{'],
    ['400 data_orgs', 'import', { data_orgs: 'garbage' }],
    ['400 sendInitMails', 'import', { data_orgs: { orgs: [] }, sendInitMails: 'yes' }],
    [
      '400 import.document_too_large',
      'import',
      `{"data_orgs":{"orgs":[{"org":${'{"a":'.repeat(50)}1${'}'.repeat(50)}}]}}`,
    ],
    [
      '400 import.document_too_large',
      'import',
      { data_orgs: { orgs: [{ orgId: 'x', org: { name: 'x'.repeat(9_000_000) } }] } },
    ],
    [
      '400 data_orgsv1_objstore.bucket, data_orgsv1_objstore.serviceaccountJson',
      'import',
      { data_orgsv1_objstore: file },
    ],
    [
      '400 data_orgs_s3.bucket, data_orgs_s3.accessKeyId, data_orgs_s3.secretAccessKey',
      'import',
      { data_orgs_s3: file },
    ],
  ])('%s: %s', async (verdict, way, body) => {
    expect(await api.verdict('POST', `/admin/v1/${way}`, body)).toBe(verdict);
    expect(await contentsOf(world)).toBe(before);
  });
});
