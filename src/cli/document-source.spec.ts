import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { CommandError } from './command/command-error.js';
import { type ImportSettings, toRequest } from './document-source.js';

async function request(file: string | Buffer, settings: ImportSettings = {}, size = 7): Promise<string> {
  const bytes = Buffer.from(file as string);
  const chunks = Readable.from(
    (function* cut() {
      for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
    })(),
  );
  const out: Buffer[] = [];
  for await (const chunk of toRequest(chunks, settings)) out.push(Buffer.from(chunk));
  return Buffer.concat(out).toString();
}

const DOCUMENT = '{"orgs":[{"orgId":"1","org":{"name":"Ünal"}}]}';

describe('A file becomes a request', () => {
  it('that embeds it, with the settings before it', async () => {
    expect(await request(DOCUMENT)).toBe(`{"dataOrgs":${DOCUMENT}}`);
    expect(await request(DOCUMENT, { timeout: '5m', dryRun: true })).toBe(
      `{"timeout":"5m","dryRun":true,"dataOrgs":${DOCUMENT}}`,
    );
  });

  it.each([1, 2, 65_536])('in whatever pieces it comes: %d', async (size) => {
    expect(await request(gzipSync(DOCUMENT), {}, size)).toBe(`{"dataOrgs":${DOCUMENT}}`);
  });

  it('compressed or not, with or without a byte order mark', async () => {
    expect(await request(gzipSync(DOCUMENT))).toBe(`{"dataOrgs":${DOCUMENT}}`);
    // Blanks in its place: positions stay those in the file.
    expect(await request(`\ufeff${DOCUMENT}`)).toBe(`{"dataOrgs":   ${DOCUMENT}}`);
  });

  it('larger than what is looked at', async () => {
    const large = `{"orgs":[${'{"orgId":"1"},'.repeat(20_000)}{}]}`;
    expect(await request(large, {}, 16_384)).toBe(`{"dataOrgs":${large}}`);
  });

  it.each(['dataOrgs', 'data_orgs', 'data_orgsv1', 'dataOrgsv1'])(
    'that is the file itself, when that is one already: %s',
    async (member) => {
      const sent = `{ "${member}":${DOCUMENT},"timeout":"30m"}`;
      expect(JSON.parse(await request(sent, { dryRun: true }))).toEqual({
        dryRun: true,
        ...(JSON.parse(sent) as object),
      });
      expect(JSON.parse(await request(sent))).toEqual(JSON.parse(sent));
    },
  );

  it.each<[string, unknown, RegExp]>([
    [
      'a Keycloak realm',
      { id: 'x', realm: 'birkenhof', users: [] },
      /^This is a Keycloak export\. Convert it first: gatehouse convert keycloak/,
    ],
    ['several realms', [{ realm: 'birkenhof' }], /Keycloak export/],
    [
      'users of Auth0',
      [{ user_id: 'auth0|1', email: 'a@b.test' }],
      /^This is a user export from Auth0\. Convert it first: gatehouse convert auth0/,
    ],
    ['users for Auth0 to import', [{ email: 'a@b.test' }], /user export from Auth0/],
    ['hashes of Auth0', { _id: { $oid: '1' }, passwordHash: '$2b$' }, /password hashes from Auth0/],
    [
      'an object without organizations',
      { humanUsers: [] },
      /^The file contains no organizations: a document has them in "orgs"/,
    ],
    ['an empty object', {}, /contains no organizations/],
  ])('not when it is %s: the refusal says what to do', async (_, content, told) => {
    await expect(request(JSON.stringify(content))).rejects.toThrow(told);
    await expect(
      request(`${JSON.stringify(Array.isArray(content) ? content[0] : content)}\n{"email":"c@d.test"}\n`),
    ).rejects.toThrow(told);
  });

  it('that is left to the service if its beginning does not show what it is', async () => {
    const large = `{"more":"${'x'.repeat(100_000)}","orgs":[]}`;
    expect(await request(large, {}, 65_536)).toBe(`{"dataOrgs":${large}}`);
  });

  it.each([
    ['nothing', ''],
    ['a list', '[]'],
    ['lines of JSON', '1\n2\n'],
    ['something else', 'PK\u0003\u0004'],
    ['half a gzip', gzipSync(DOCUMENT).subarray(0, 20)],
    ['gzip of a picture', gzipSync('PNG')],
  ])('not when it is %s', async (_, file) => {
    await expect(request(file)).rejects.toThrow(CommandError);
  });
});

it.each<[string, Buffer]>([
  ['with a mark', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(DOCUMENT, 'utf16le')])],
  ['without one', Buffer.from(DOCUMENT, 'utf16le')],
])('A file in UTF-16 is refused by the name of its encoding, %s', async (_, file) => {
  await expect(request(file)).rejects.toThrow(/^The file seems to be in UTF-16LE, .*iconv -f UTF-16LE -t UTF-8/);
});
