import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { USUAL_PEOPLE } from '../people-settings.js';
import { Report } from '../report.js';
import { convertKeycloak } from './keycloak.js';

interface Noted {
  readonly kind: string;
  readonly important: boolean;
  readonly count: number;
}
type Any = Record<string, any>; // oxlint-disable-line typescript/no-explicit-any -- a document is looked at in every way here

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-realm-keys-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** ES256, as Keycloak writes it: in base64url. */
const PUBLIC_KEY =
  'pQECAyYgASFYIMyMyrkZVd0dfniupGWfnmf1J41klaWOkXLbLqfkApoVIlggb2cXd5B5VdkrTw845_3cZZSEhMxLEuLp6MOGxwNVkuk';
const USER_ID = '82670001-bf17-4bd9-b45c-6a26c76ddaae';

const key = (type: string, data: object = {}, over: object = {}): object => ({
  id: 'd7a5',
  type,
  userLabel: 'Büro',
  createdDate: 1_711_900_000_000,
  secretData: '{}',
  credentialData: JSON.stringify({
    aaguid: 'fbfc3007-154e-4ecc-8c0b-6e020557d7bd',
    credentialId: 'q83vASNFZ4mrze8BI0VniQ==',
    counter: 7,
    credentialPublicKey: PUBLIC_KEY,
    attestationStatementFormat: 'none',
    transports: ['internal', 'hybrid'],
    ...data,
  }),
  ...over,
});

async function convert(
  credentials: readonly object[],
  realm: object = { webAuthnPolicyRpId: 'id.old.test', webAuthnPolicyPasswordlessRpId: 'old.test' },
  { rpId, userId = USER_ID }: { rpId?: string; userId?: string | undefined } = {},
): Promise<{ org: Any; user: Any; notes: Noted[] }> {
  const path = join(folder, 'realm.json');
  const user = { id: userId, username: 'ilse', email: 'ilse@keycloak.test', emailVerified: true, credentials };
  writeFileSync(path, JSON.stringify({ id: 'r', realm: 'realm', enabled: true, ...realm, users: [user] }));
  const report = new Report('keycloak');
  let text = '';
  for await (const piece of convertKeycloak({ paths: [path], realms: [], people: USUAL_PEOPLE, rpId }, report))
    text += piece;
  const [org] = JSON.parse(text).orgs;
  return { org, user: org.humanUsers[0], notes: (report.toJson() as { notCarried: Noted[] }).notCarried };
}

const about = (notes: readonly Noted[]): Noted[] => notes.filter(({ kind }) => /passkey|webauthn/i.test(kind));

describe('Keys of a Keycloak realm', () => {
  it('are passkeys and security keys with the domain of their policy and the id of the user as handle', async () => {
    const other = { credentialId: 'AAECAwQFBgcICQoLDA0ODw==', transports: ['usb'], counter: 0 };
    const { user } = await convert([key('webauthn-passwordless'), key('webauthn', other, { userLabel: '' })]);
    const shared = {
      publicKey: Buffer.from(PUBLIC_KEY, 'base64url').toString('base64'),
      aaguid: 'fbfc3007-154e-4ecc-8c0b-6e020557d7bd',
      userHandle: Buffer.from(USER_ID).toString('base64'),
      creationDate: '2024-03-31T15:46:40.000Z',
    };
    expect(user.user.passkeys).toEqual([
      {
        ...shared,
        credentialId: 'q83vASNFZ4mrze8BI0VniQ==',
        counter: 7,
        name: 'Büro',
        transports: ['internal', 'hybrid'],
        rpId: 'old.test',
      },
      {
        ...shared,
        credentialId: 'AAECAwQFBgcICQoLDA0ODw==',
        transports: ['usb'],
        rpId: 'id.old.test',
        isSecondFactor: true,
      },
    ]);
  });

  it('are named in the report with the domain that the instance must have, and are no loss', async () => {
    const { notes } = await convert([key('webauthn-passwordless')]);
    expect(about(notes)).toEqual([
      expect.objectContaining({
        kind: 'Passkeys and security keys: they work only if PASSKEY_RP_ID of the instance is old.test',
        important: false,
      }),
      expect.objectContaining({ kind: expect.stringMatching(/^Realms that did not demand discoverable passkeys/) }),
    ]);
  });

  it.each<[string, object, string | undefined, string]>([
    [
      'the host of the address of the realm',
      { attributes: { frontendUrl: 'https://sso.old.test:8443/auth' } },
      undefined,
      'sso.old.test',
    ],
    ['what the operator says', {}, 'said.test', 'said.test'],
    ['the policy, whatever the operator says', { webAuthnPolicyRpId: 'id.test' }, 'said.test', 'id.test'],
  ])('have the domain of %s', async (_, realm, rpId, expected) => {
    const { user } = await convert([key('webauthn')], realm, rpId === undefined ? {} : { rpId });
    expect(user.user.passkeys).toMatchObject([{ rpId: expected }]);
  });

  it.each<[string, object, object | undefined, string | undefined, RegExp]>([
    ['whose domain nothing says', key('webauthn'), {}, undefined, /does not name their domain.*--rp-id/],
    ['of a user without an id', key('webauthn'), undefined, '', /users without an id/],
    ['without base64', key('webauthn', { credentialId: '?' }), undefined, undefined, /malformed/],
    ['without a public key', key('webauthn', { credentialPublicKey: '' }), undefined, undefined, /malformed/],
    [
      'of another algorithm',
      key('webauthn', { credentialPublicKey: 'ogECAzgi' }),
      undefined,
      undefined,
      /another algorithm/,
    ],
    ['without data', key('webauthn', {}, { credentialData: '' }), undefined, undefined, /malformed/],
  ])('%s are left out, which is important', async (_, credential, realm, userId, kind) => {
    const { user, notes } = await convert([credential], realm, userId === undefined ? {} : { userId });
    expect(user.user.passkeys).toBeUndefined();
    expect(about(notes).filter(({ important }) => important)).toEqual([
      expect.objectContaining({ kind: expect.stringMatching(kind) }),
    ]);
  });

  it('beyond the twentieth of a user are left out', async () => {
    const many = Array.from({ length: 21 }, (_, n) =>
      key('webauthn', { credentialId: Buffer.from(`key number ${n}`).toString('base64') }),
    );
    const { user, notes } = await convert(many);
    expect(user.user.passkeys).toHaveLength(20);
    expect(about(notes)).toContainEqual(expect.objectContaining({ important: true, count: 1 }));
  });

  it('with a label that cannot be a name get the name of their model', async () => {
    const { user } = await convert([key('webauthn', {}, { userLabel: 'x'.repeat(200) })]);
    expect(user.user.passkeys[0].name).toBeUndefined();
  });

  it('are allowed by the policy of the organization, as far as its users have some', async () => {
    const policy = async (...credentials: readonly object[]): Promise<unknown> =>
      (await convert(credentials)).org['loginPolicy'];
    expect(await policy(key('webauthn'))).toMatchObject({
      secondFactors: ['SECOND_FACTOR_TYPE_OTP', 'SECOND_FACTOR_TYPE_U2F'],
    });
    expect(await policy(key('webauthn-passwordless'))).toMatchObject({
      passwordlessType: 'PASSWORDLESS_TYPE_ALLOWED',
      multiFactors: ['MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION'],
    });
    expect(await policy()).not.toHaveProperty('passwordlessType');
  });

  it('leave it to the import whether their owner is active, who has nothing else', async () => {
    expect((await convert([key('webauthn-passwordless')])).user.state).toBeUndefined();
    const password = { type: 'password', value: 'Correct-Horse-7' };
    expect((await convert([password, key('webauthn')])).user.state).toBe('USER_STATE_ACTIVE');
  });
});
