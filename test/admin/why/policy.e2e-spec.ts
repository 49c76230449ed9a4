import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { addOidc, changeIdp, link as linkAccount, OUTBOUND, visit } from '../../idp/external.js';
import { withApp } from '../../login/factor-turns.js';
import { answer, ORIGIN, withKey } from '../../login/passkey-turns.js';
import { begin } from '../../login/turns.js';
import type { AdminApi, Json } from '../../support/admin-api.js';
import type { TestOrg, TestPerson } from '../../support/builders.js';
import { RelyingParty } from '../../support/relying-party.js';
import { startUpstream, type Upstream } from '../../support/upstream.js';
import { startWorld, type World } from '../../support/world.js';
import { dayOf, ilseOf, managerNamed, stepsOf, WhyStage } from './why-stage.js';

let world: World;
let stage: WhyStage;
let org: TestOrg;
let ada: AdminApi;
let otto: AdminApi;
let shop: RelyingParty;
let ilse: TestPerson;
let today: string;
let upstream: Upstream;

beforeAll(async () => {
  world = await startWorld({ publicUrl: ORIGIN, env: OUTBOUND });
  ada = await managerNamed(world, await world.cast.orgA, 'ada.admin', ['IAM_OWNER']);
  stage = new WhyStage(world, ada);
  upstream = await startUpstream(world);
});
beforeEach(async () => {
  world.clock.advance('20m');
  org = await world.add.org();
  shop = new RelyingParty(world, await world.cast.web1);
  ilse = await ilseOf(world, org.id);
  otto = await managerNamed(world, org, `otto.of.${org.domain}`, ['ORG_OWNER']);
  today = dayOf(world.clock.now());
});
afterAll(async () => {
  await upstream.close();
  await world.close();
});

/** The login policy of the organization, as its owner adds it. */
const ownPolicy = async (change: Json): Promise<void> => {
  const { policy } = await otto.call('GET', '/management/v1/policies/login');
  const { details: _details, isDefault: _isDefault, ...settings } = policy as Record<string, unknown>;
  await otto.call('POST', '/management/v1/policies/login', { ...settings, ...change });
};
const PASSWORD_WAY = { method: 'SIGN_IN_METHOD_PASSWORD' };
const PASSKEY_WAY = { method: 'SIGN_IN_METHOD_PASSKEY' };

describe('Two factors', () => {
  it('are required by the organization: who has none is asked to set one up', async () => {
    await ownPolicy({ forceMfa: true });
    const explained = await stage.explain(ilse, {}, otto);
    const link = explained.chain.find(({ code }) => code === 'SIGN_IN_LINK_CODE_SECOND_FACTOR_MISSING')!;
    expect(link.sentence).toBe(
      `The login policy of organization ${org.domain} requires a second factor (since ${today}, changed by otto.of.${org.domain}). Ilse has none and will be asked to set one up (a security key or an authenticator app).`,
    );
    expect(link.rule).toMatchObject({
      name: 'login policy',
      setting: 'forceMfa',
      ownerType: 'EXPLAINED_OWNER_TYPE_ORGANIZATION',
      ruleOwnerId: org.id,
      ownerName: org.domain,
      isDefault: false,
    });
    expect([explained.canSignIn, explained.summary]).toEqual([
      'CAN_SIGN_IN_YES_AFTER_STEPS',
      'Ilse can sign in with the password, after 2 more steps: set up a second factor and keep recovery codes.',
    ]);
    const walked = await stage.walk(shop, ilse);
    expect([walked.steps, walked.answer?.code]).toEqual([stepsOf(explained), expect.any(String)]);
  });

  it('were lost with the phone: the app is removed, and the person sets up another', async () => {
    await ownPolicy({ forceMfa: true });
    await withApp(world, ilse);
    const explained = await stage.explain(ilse);
    expect([explained.canSignIn, explained.factors]).toEqual([
      'CAN_SIGN_IN_YES',
      [
        { kind: 'password', count: 1 },
        { kind: 'otp', count: 1 },
      ],
    ]);
    const link = explained.chain.find(({ code }) => code === 'SIGN_IN_LINK_CODE_SECOND_FACTOR')!;
    expect(link.sentence).toContain('Ilse is asked for a code of the authenticator app.');
    expect(link.mends.map(({ operationId }) => operationId)).toEqual(['RemoveHumanAuthFactorOTP']);
    await stage.mend(link.mends[0]!);
    await stage.signIn(shop, ilse);
  });

  it('are demanded by the application although the policy lists none: one more line of the policy helps', async () => {
    await ownPolicy({ secondFactors: [], multiFactors: [] });
    const asked = { application: 'web1', requiresSecondFactor: true };
    const link = await stage.refusal(ilse, asked, otto);
    expect([link.code, link.sentence]).toEqual([
      'SIGN_IN_LINK_CODE_SECOND_FACTOR_UNAVAILABLE',
      `The application demands two factors by its request. The login policy of organization ${org.domain} lists none that Ilse could set up (since ${today}, changed by otto.of.${org.domain}).`,
    ]);
    await stage.mend(link.mends[0]!, otto);
    const claims = JSON.stringify({ id_token: { acr: { essential: true, values: ['2'] } } });
    await stage.signIn(shop, ilse, { claims });
  });
});

describe('Passwords', () => {
  it('are forbidden by the organization: its owner allows them again', async () => {
    await ownPolicy({ allowUsernamePassword: false });
    const link = await stage.refusal(ilse, PASSWORD_WAY, otto);
    expect([link.code, link.sentence]).toEqual([
      'SIGN_IN_LINK_CODE_PASSWORDS_NOT_ALLOWED',
      `The login policy of organization ${org.domain} does not let users sign in with a password (since ${today}, changed by otto.of.${org.domain}).`,
    ]);
    expect(link.mends.map(({ operationId, isAllowed }) => [operationId, isAllowed])).toEqual([
      ['UpdateCustomLoginPolicy', true],
    ]);
    await stage.mend(link.mends[0]!, otto);
    await stage.signIn(shop, ilse);
  });

  it('are forbidden by the instance: an owner of the instance allows them, or the organization has a policy of its own', async () => {
    const { policy } = await ada.call('GET', '/admin/v1/policies/login');
    const { details: _details, isDefault: _isDefault, ...settings } = policy as Record<string, unknown>;
    await ada.call('PUT', '/admin/v1/policies/login', { ...settings, allowUsernamePassword: false });
    const link = await stage.refusal(ilse, PASSWORD_WAY, otto);
    // Otto may not read who manages the instance.
    expect(link.sentence).toBe(
      `The login policy of the instance does not let users sign in with a password (since ${today}).`,
    );
    expect(link.mends.map(({ operationId, isAllowed }) => [operationId, isAllowed])).toEqual([
      ['UpdateLoginPolicy', false],
      ['AddCustomLoginPolicy', true],
    ]);
    await expect(stage.mend(link.mends[0]!, otto)).rejects.toThrow('permission.missing');
    const seen = await stage.refusal(ilse, PASSWORD_WAY);
    expect(seen.sentence).toContain(`(since ${today}, changed by ada.admin)`);
    await stage.mend(seen.mends[0]!);
    await stage.signIn(shop, ilse);
  });
});

describe('Passkeys', () => {
  it('are not allowed by the organization: the one that the person has works again', async () => {
    const device = await withKey(world, ilse);
    await ownPolicy({ passwordlessType: 'PASSWORDLESS_TYPE_NOT_ALLOWED' });
    const link = await stage.refusal(ilse, PASSKEY_WAY, otto);
    expect([link.code, link.sentence]).toEqual([
      'SIGN_IN_LINK_CODE_PASSKEYS_NOT_ALLOWED',
      `The login policy of organization ${org.domain} does not let users sign in with a passkey (since ${today}, changed by otto.of.${org.domain}).`,
    ]);
    // With the password the person gets in, and the answer says that the passkey does not work.
    const { canSignIn, chain } = await stage.explain(ilse);
    expect([canSignIn, chain[0]!.code, chain[0]!.effect]).toEqual([
      'CAN_SIGN_IN_YES',
      link.code,
      'SIGN_IN_LINK_EFFECT_INFORMS',
    ]);
    await stage.mend(link.mends[0]!, otto);
    expect((await stage.explain(ilse, PASSKEY_WAY)).summary).toBe('Ilse can sign in with a passkey.');
    expect(shop.toAnswer(await answer(shop, await begin(shop), device)).code).toBeDefined();
  });

  it('are missing: the person gets a link to make one', async () => {
    const link = await stage.refusal(ilse, PASSKEY_WAY);
    expect([link.sentence, link.mends[0]!.operationId]).toEqual([
      'Ilse has no passkey.',
      'SendPasswordlessRegistration',
    ]);
    await stage.mend(link.mends[0]!);
  });
});

describe('An identity provider', () => {
  const addLinked = async (subject: string, name: string, orgId?: string): Promise<string> => {
    const idpId = await addOidc(world, upstream.issuer, { name }, orgId);
    await linkAccount(world, idpId, ilse.id, org.id, subject);
    return idpId;
  };

  it('was switched off: the user comes through it once it is on again', async () => {
    const idpId = await addLinked('ilse-off', 'Corp SSO');
    await ada.call('POST', `/admin/v1/idps/${idpId}/_deactivate`);
    await world.changesToArrive();
    const link = await stage.refusal(ilse, { provider: 'Corp SSO' });
    expect([link.code, link.sentence]).toEqual([
      'SIGN_IN_LINK_CODE_PROVIDER_INACTIVE',
      `The identity provider Corp SSO has been deactivated since ${today} (by ada.admin).`,
    ]);
    await stage.mend(link.mends[0]!);
    expect((await stage.explain(ilse, { provider: 'Corp SSO' })).summary).toBe('Ilse can sign in through Corp SSO.');
    expect(shop.toAnswer(await visit(shop, upstream, idpId, { sub: 'ilse-off' })).code).toBeDefined();
    await changeIdp(world, idpId, 'deactivate');
  });

  it('is not among those that the policy lists', async () => {
    const listed = await addOidc(world, upstream.issuer, { name: 'Listed' });
    const idpId = await addLinked('ilse-listed', 'Not listed');
    await ownPolicy({ idps: [{ idpId: listed, ownerType: 'IDP_OWNER_TYPE_SYSTEM' }] });
    const link = await stage.refusal(ilse, { provider: idpId }, otto);
    expect([link.code, link.sentence]).toEqual([
      'SIGN_IN_LINK_CODE_PROVIDER_NOT_OFFERED',
      'The login policy that applies to Ilse lists other identity providers, and not Not listed.',
    ]);
    await stage.mend(link.mends[0]!, otto);
    expect(shop.toAnswer(await visit(shop, upstream, idpId, { sub: 'ilse-listed' })).code).toBeDefined();
  });

  it('has no account of the user yet: the pages link it', async () => {
    await addOidc(world, upstream.issuer, { name: 'New one' });
    const explained = await stage.explain(ilse, { provider: 'New one' });
    expect(explained.chain[0]).toMatchObject({
      code: 'SIGN_IN_LINK_CODE_PROVIDER_NOT_LINKED',
      sentence: 'Ilse has not linked an account at New one yet. After signing in there, Ilse is asked to link it.',
    });
    expect(stepsOf(explained)).toEqual(['login-name', 'external-user', 'login-name', 'password', 'link-account']);
  });

  it('is not allowed by the policy, whichever it is', async () => {
    await addLinked('ilse-none', 'Forbidden');
    await ownPolicy({ allowExternalIdp: false });
    const link = await stage.refusal(ilse, { provider: 'Forbidden' }, otto);
    expect(link.sentence).toContain('does not let users sign in through identity providers (since');
    await stage.mend(link.mends[0]!, otto);
    expect((await stage.explain(ilse, { provider: 'Forbidden' })).canSignIn).toBe('CAN_SIGN_IN_YES');
  });
});
