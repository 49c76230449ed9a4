import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { convertKeycloak } from '../../src/migration/convert/keycloak/keycloak.js';
import { USUAL_PEOPLE } from '../../src/migration/convert/people-settings.js';
import { Report } from '../../src/migration/convert/report.js';
import { afterPassword, proofOf } from '../login/factor-turns.js';
import { answer, ORIGIN } from '../login/passkey-turns.js';
import { begin } from '../login/turns.js';
import { callerWith, type Json } from '../support/admin-api.js';
import type { Authenticator } from '../support/authenticator.js';
import { PASSWORD, type TestPerson } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld } from '../support/world.js';
import { madeElsewhere, RP_ID, securityKey } from './passkey-documents.js';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-keycloak-keys-'));
const world = await startWorld({ publicUrl: ORIGIN });
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await world.close();
});

/** As Keycloak stores it: the id in base64, the key in base64url. */
const credentialOf = (type: string, device: Authenticator): Json => ({
  type,
  userLabel: 'Mine',
  secretData: '{}',
  credentialData: JSON.stringify({
    aaguid: '00000000-0000-0000-0000-000000000000',
    credentialId: Buffer.from(device.credentialId, 'base64url').toString('base64'),
    counter: 0,
    credentialPublicKey: device.coseKey.toString('base64url'),
    attestationStatementFormat: 'none',
    transports: ['internal'],
  }),
});

it('Users of a Keycloak realm sign in here with the passkey and the security key that they had there', async () => {
  const [id, other] = ['82670001-bf17-4bd9-b45c-6a26c76ddaae', '82670002-bf17-4bd9-b45c-6a26c76ddaae'];
  const [phone, stick] = [madeElsewhere(id), securityKey(other)];
  const user = (userId: string, username: string, credentials: readonly Json[]): Json => ({
    id: userId,
    username,
    email: `${username}@keycloak.test`,
    emailVerified: true,
    credentials,
  });
  const realm = {
    id: 'realm-with-keys',
    realm: 'keys',
    enabled: true,
    webAuthnPolicyRpId: RP_ID,
    webAuthnPolicyPasswordlessRpId: RP_ID,
    webAuthnPolicyPasswordlessRequireResidentKey: 'Yes',
    users: [
      user(id, 'ilse.keys', [credentialOf('webauthn-passwordless', phone)]),
      user(other, 'bodo.keys', [{ type: 'password', value: PASSWORD }, credentialOf('webauthn', stick)]),
    ],
  };
  const path = join(folder, 'realm.json');
  writeFileSync(path, JSON.stringify(realm));
  let text = '';
  for await (const piece of convertKeycloak(
    { paths: [path], realms: [], people: USUAL_PEOPLE },
    new Report('keycloak'),
  ))
    text += piece;
  const { api } = await callerWith(world, await world.add.org(), ['IAM_OWNER']);
  expect((await api.call('POST', '/admin/v1/import', { dataOrgs: JSON.parse(text) })).errors).toEqual([]);
  const web = new RelyingParty(world, await world.cast.web1);
  const arrival = await answer(web, await begin(web), phone);
  const tokens = (await web.redeem(web.toAnswer(arrival).code!)).json<{ id_token: string }>();
  expect(await web.verify(tokens.id_token)).toMatchObject({ sub: id, amr: ['user', 'mfa'] });
  const elsewhere = web.elsewhere();
  const person = { id: other, loginName: 'bodo.keys', password: PASSWORD } as TestPerson;
  const page = await afterPassword(elsewhere, person);
  expect(page.heading).toBe('Use your security key');
  expect(await proofOf(elsewhere, await answer(elsewhere, page, stick))).toMatchObject({ amr: ['pwd', 'user', 'mfa'] });
});
