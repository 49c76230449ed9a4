import {
  IDS,
  ORG,
  PARTNER,
  PASSKEY,
  PASSWORD,
  RECOVERY_CODE,
  SYNC_KEY,
  SYNC_SECRET,
  slow,
  TOTP_SEED,
} from './facts.js';
import type { Filler } from './filler.js';
import type { Version } from './tables.js';

/** A person in the views. */
async function addPerson(
  filler: Filler,
  id: string,
  username: string,
  {
    org = ORG,
    state = 1,
    ...more
  }: Readonly<Record<string, unknown>> & { readonly org?: string; readonly state?: number } = {},
): Promise<void> {
  await filler.insert('users14', { id, resource_owner: org, state, username, type: 1 });
  await filler.insert('users14_humans', {
    user_id: id,
    first_name: username,
    last_name: 'Brandt',
    display_name: `${username} Brandt`,
    preferred_language: 'de',
    gender: 1,
    email: `${username}@birkenhof.example`,
    is_email_verified: true,
    ...more,
  });
}

export async function fillPeople(filler: Filler, version: Version): Promise<void> {
  await addPerson(filler, IDS.ilse, 'ilse', { phone: '+41791234567', is_phone_verified: true, avatar_key: 'x' });
  await filler.event(IDS.ilse, 'user.human.added', { userName: 'ilse', encodedHash: slow('the first one') });
  await filler.event(IDS.ilse, 'user.human.password.changed', { encodedHash: slow('the second one') });
  await filler.event(IDS.ilse, 'user.human.password.hash.updated', { encodedHash: slow(PASSWORD) });
  await filler.event(IDS.ilse, 'user.human.address.changed', { country: 'CH', locality: 'Chur' });
  await filler.insert('user_metadata5', { user_id: IDS.ilse, key: 'depot', value: Buffer.from('Chur') });
  // As versions before 2 wrote it.
  await addPerson(filler, IDS.dora, 'dora');
  await filler.event(IDS.dora, 'user.added', {
    userName: 'dora',
    secret: { CryptoType: 1, Algorithm: 'bcrypt', Crypted: Buffer.from(slow(PASSWORD)).toString('base64') },
  });
  await filler.event(IDS.dora, 'user.human.mfa.otp.added', {
    otpSecret: JSON.parse(await filler.seal('otpKey', TOTP_SEED)),
  });
  await filler.event(IDS.dora, 'user.human.mfa.otp.verified');
  await filler.event(IDS.dora, 'user.human.mfa.otp.sms.added');
  await addPerson(filler, IDS.karl, 'karl');
  await filler.event(IDS.karl, 'user.human.selfregistered', { userName: 'karl' });
  await fillKeys(filler);
  await addPerson(filler, IDS.nele, 'nele', { state: 6, is_email_verified: false });
  await filler.event(IDS.nele, 'user.human.added', { userName: 'nele' });
  await addPerson(filler, IDS.bodo, 'bodo', { state: 4, password_change_required: true });
  await filler.event(IDS.bodo, 'user.human.added', { userName: 'bodo', encodedHash: slow(PASSWORD) });
  await addPerson(filler, IDS.emil, 'emil', { state: 2 });
  await addPerson(filler, IDS.fritz, 'fritz', { state: 3 });
  await addPerson(filler, IDS.piet, 'piet', { org: PARTNER, is_email_verified: false });
  await filler.event(IDS.piet, 'user.human.added', { userName: 'piet', encodedHash: slow(PASSWORD) });
  if (version === '4') {
    await filler.event(IDS.dora, 'user.human.mfa.recoverycode.added', { codes: [slow(RECOVERY_CODE), slow('used')] });
    await filler.event(IDS.dora, 'user.human.mfa.recoverycode.check.failed');
  }
  await fillMachine(filler);
}

/** Of a person with a passkey, which was used often, and a security key that was removed. */
async function fillKeys(filler: Filler): Promise<void> {
  await addPerson(filler, IDS.pia, 'pia');
  await filler.event(IDS.pia, 'user.human.added', { userName: 'pia' });
  const publicKey = PASSKEY.coseKey.toString('base64');
  for (const [kind, tokenId, rpID] of [
    ['passwordless', '1', undefined],
    ['mfa.u2f', '2', 'login.birkenhof.example'],
    ['mfa.u2f', '3', undefined],
  ] as const) {
    await filler.event(IDS.pia, `user.human.${kind}.token.added`, { webAuthNTokenId: tokenId, challenge: 'x', rpID });
    await filler.event(IDS.pia, `user.human.${kind}.token.verified`, {
      webAuthNTokenId: tokenId,
      keyId: (tokenId === '1'
        ? Buffer.from(PASSKEY.credentialId, 'base64url')
        : Buffer.from(`key ${tokenId}`)
      ).toString('base64'),
      publicKey,
      attestationType: 'none',
      aaguid: Buffer.alloc(16, 7).toString('base64'),
      signCount: 1,
      webAuthNTokenName: `key ${tokenId}`,
    });
  }
  for (const signCount of [2, 9, 5])
    await filler.event(IDS.pia, 'user.human.passwordless.token.signcount.changed', { webAuthNTokenId: '1', signCount });
  await filler.event(IDS.pia, 'user.human.mfa.u2f.token.removed', { webAuthNTokenId: '3' });
  // One that was begun and never finished.
  await filler.event(IDS.pia, 'user.human.passwordless.token.added', { webAuthNTokenId: '4', challenge: 'x' });
}

async function fillMachine(filler: Filler): Promise<void> {
  await filler.insert('users14', { id: IDS.sync, resource_owner: ORG, state: 1, username: 'tour-sync', type: 2 });
  await filler.insert('users14_machines', {
    user_id: IDS.sync,
    name: 'Tour sync',
    description: 'nightly',
    secret: slow(SYNC_SECRET),
    access_token_type: 1,
  });
  await filler.insert('authn_keys2', {
    id: 'key-of-sync',
    aggregate_id: IDS.sync,
    object_id: IDS.sync,
    identifier: IDS.sync,
    expiration: '9999-12-31T23:59:59Z',
    type: 1,
    public_key: Buffer.from(SYNC_KEY.publicKey.export({ type: 'spki', format: 'pem' })),
  });
  await filler.insert('personal_access_tokens3', {
    id: 'pat-1',
    user_id: IDS.sync,
    expiration: '9999-12-31T23:59:59Z',
    scopes: ['openid'],
  });
}
