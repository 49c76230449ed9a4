import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import {
  LOGIN_STEP,
  type LoginStep,
  type StepForm,
  type StepReader,
  type StepResult,
  type Turn,
} from '../../src/auth-request/own-login-step.js';
import { Database } from '../../src/facade/database.js';
import { GatehouseServices } from '../../src/facade/gatehouse-services.js';
import { defineExtension } from '../../src/foundation/extension/extension.js';
import { provide } from '../../src/foundation/extension/seam.js';
import type { StepPage } from '../../src/foundation/page/own-step.js';
import { paths } from '../../src/foundation/page/paths.js';
import { AccountHolder } from '../account/account-turns.js';
import { beginPassword, pageOf, requestIdOf } from '../login/turns.js';
import type { Arrival, Page } from '../support/browser.js';
import type { TestPerson } from '../support/builders.js';
import { Device, outcomeOf } from '../support/device.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';

const CALLBACK = '/oauth/v2/authorize/callback';
const TERMS = '/ui/login/ext/terms/accept';

/** The terms that everybody has to accept; a new version is due again. */
@Injectable()
class TermsStep implements LoginStep {
  static version = '1';
  readonly name = 'accept';

  constructor(private readonly database: Database) {}

  async isDue({ userId }: Turn): Promise<boolean> {
    const accepted = await this.database.query(
      'SELECT 1 FROM ext_terms.accepted WHERE user_id = :userId AND version = :version',
      { userId, version: TermsStep.version },
    );
    return accepted.length === 0;
  }

  async page({ displayName }: Turn, reader: StepReader): Promise<StepPage> {
    return {
      title: reader.text('title'),
      body: [
        { kind: 'text', text: `${reader.text('hello')}, ${displayName}!` },
        { kind: 'link', text: reader.text('title'), href: 'https://acme.example/terms' },
        { kind: 'check', name: 'accepted', label: reader.text('accept') },
        { kind: 'field', name: 'note', label: 'Note', optional: true },
      ],
      submit: reader.text('go'),
      decline: reader.text('no'),
    };
  }

  async submit({ userId }: Turn, form: StepForm, reader: StepReader): Promise<StepResult> {
    if (form.find('accepted') !== 'on') return { kind: 'again', field: 'accepted', text: reader.text('missing') };
    await this.database.query(
      `INSERT INTO ext_terms.accepted (user_id, version)
       VALUES (:userId, :version)
       ON CONFLICT DO NOTHING`,
      { userId, version: TermsStep.version },
    );
    return { kind: 'done' };
  }
}

/** A step that does whatever a test wants, and is usually not due. */
@Injectable()
class OtherStep implements LoginStep {
  static does: { [Name in 'isDue' | 'page' | 'submit']?: (...given: never[]) => unknown } = {};
  readonly name = 'other';

  async isDue(...given: unknown[]): Promise<boolean> {
    return (await (OtherStep.does.isDue ?? (() => false))(...(given as never[]))) as boolean;
  }

  async page(...given: unknown[]): Promise<StepPage> {
    const plain = () => ({ title: 'Other', body: [], submit: 'Continue' });
    return (await (OtherStep.does.page ?? plain)(...(given as never[]))) as StepPage;
  }

  async submit(...given: unknown[]): Promise<StepResult> {
    return (await (OtherStep.does.submit ?? (() => ({ kind: 'done' })))(...(given as never[]))) as StepResult;
  }
}

@Module({ imports: [GatehouseServices], providers: [TermsStep] })
class TermsModule {}

@Module({ providers: [OtherStep] })
class OtherModule {}

const terms = defineExtension({
  id: 'terms',
  version: '1.0.0',
  gatehouse: '>=0.1.0',
  module: TermsModule,
  provides: [provide(LOGIN_STEP, TermsStep)],
  texts: {
    en: {
      title: 'Our terms',
      hello: 'Welcome',
      accept: 'I accept the terms',
      go: 'Continue',
      no: 'I do not accept them',
      missing: 'Accept the terms to continue.',
    },
    de: { title: 'Unsere Bedingungen', accept: 'Ich stimme zu' },
  },
  schemaChanges: [
    {
      name: '1-accepted',
      up: `CREATE TABLE accepted (
        user_id text NOT NULL REFERENCES user_account (id) ON DELETE CASCADE,
        version text NOT NULL,
        PRIMARY KEY (user_id, version)
      )`,
    },
  ],
});

const other = defineExtension({
  id: 'other',
  version: '1.0.0',
  gatehouse: '>=0.1.0',
  module: OtherModule,
  provides: [provide(LOGIN_STEP, OtherStep)],
});

let world: World;
let alice: TestPerson;
let web1: RelyingParty;

beforeAll(async () => {
  world = await startWorld({ extensions: [terms, other] });
});
beforeEach(async () => {
  world.clock.advance('1m');
  alice = await world.add.person({ orgId: (await world.cast.orgA).id });
  web1 = new RelyingParty(world, await world.cast.web1);
});
afterEach(() => {
  TermsStep.version = '1';
  OtherStep.does = {};
});
afterAll(() => world.close());

/** Past the offer of a second factor, if there is one. */
async function pastOffer(client: RelyingParty, arrival: Arrival): Promise<Arrival> {
  const isOffer = arrival.page?.find('button[name="factor"][value="skip"]') != null;
  return isOffer ? client.browser.submit(arrival.page, { factor: 'skip' }) : arrival;
}

/** As far as the user comes with the password alone. */
async function enter(client = web1, person = alice): Promise<Arrival> {
  return pastOffer(client, await client.enter(await client.authorize(), person));
}

const accept = { decision: 'continue', accepted: 'on' };

/** A user who has signed in and accepted the terms. */
async function signedIn(client = web1, person = alice): Promise<void> {
  const arrival = await client.browser.submit(pageOf(await enter(client, person)), accept);
  expect(client.toAnswer(arrival).code).toBeDefined();
}

async function accepted(person = alice): Promise<string[]> {
  const rows = await world.rows<{ version: string }>(
    'SELECT version FROM ext_terms.accepted WHERE user_id = $1 ORDER BY 1',
    [person.id],
  );
  return rows.map(({ version }) => version);
}

const logged = (from: number): Array<Record<string, unknown>> =>
  world
    .logText()
    .slice(from)
    .split('\n')
    .filter((line) => line.includes('an extension failed'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('A login step of an extension', () => {
  it('is shown after the proof and before the answer, until it is taken, and then in no browser again', async () => {
    const page = pageOf(await enter());
    expect([page.status, page.heading]).toEqual([200, 'Our terms']);
    expect(page.text).toContain(alice.loginName);
    expect(page.find('a[href="https://acme.example/terms"]')?.getAttribute('rel')).toBe('noopener noreferrer');
    expect(page.reply.header('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self' https:\/\/\S+; base-uri 'none'; frame-ancestors 'none'$/,
    );
    const answer = web1.toAnswer(await web1.browser.submit(page, accept));
    expect(answer.code).toBeDefined();
    expect(await accepted()).toEqual(['1']);
    expect((await web1.authorize()).redirect).toContain('code=');
    expect((await enter(web1.elsewhere())).redirect).toContain('code=');
  });

  it('is shown again with its own words while its form is not filled in, and nothing is stored [LOG-041]', async () => {
    const page = pageOf(await enter());
    const again = pageOf(await web1.browser.submit(page, { decision: 'continue', note: 'a "note"' }));
    expect([again.status, again.title]).toEqual([400, expect.stringMatching(/^Error: Our terms/)]);
    expect(again.find('#accepted-error')?.text).toBe('Accept the terms to continue.');
    expect(again.find('#accepted')?.getAttribute('aria-describedby')).toBe('accepted-error');
    expect(again.find('#note')?.getAttribute('value')).toBe('a "note"');
    const stale = pageOf(await web1.browser.submit(again, { note: '', accepted: 'on' }));
    expect(stale.status).toBe(400);
    expect(await accepted()).toEqual([]);
  });

  it('ends the sign-in when the user declines: the application gets access_denied', async () => {
    const arrival = await web1.browser.submit(pageOf(await enter()), { decision: 'decline' });
    expect(web1.toAnswer(arrival)).toMatchObject({ error: 'access_denied', state: 'S1' });
    expect(await accepted()).toEqual([]);
  });

  it('is due for a user who is signed in already, and prompt=none says so', async () => {
    await signedIn();
    TermsStep.version = '2';
    const silent = web1.toAnswer(await web1.authorize({ prompt: 'none' }));
    expect(silent).toMatchObject({ error: 'interaction_required', state: 'S1' });
    const page = pageOf(await web1.authorize());
    expect(page.heading).toBe('Our terms');
    expect(web1.toAnswer(await web1.browser.submit(page, accept)).code).toBeDefined();
    expect(await accepted()).toEqual(['1', '2']);
    expect(web1.toAnswer(await web1.authorize({ prompt: 'none' })).code).toBeDefined();
  });

  it('does not touch tokens that an application has', async () => {
    const page = pageOf(
      await pastOffer(web1, await web1.enter(await web1.authorize({ scope: 'openid offline_access' }), alice)),
    );
    const { code } = web1.toAnswer(await web1.browser.submit(page, accept));
    const tokens = (await web1.redeem(code!)).json<{ refresh_token: string }>();
    TermsStep.version = '2';
    expect((await web1.refresh(tokens.refresh_token)).status).toBe(200);
  });

  it('is asked about each account of a browser', async () => {
    await signedIn();
    const bob = await world.add.person({ orgId: alice.orgId });
    const asked = await web1.authorize({ login_hint: bob.loginName });
    const page = pageOf(await pastOffer(web1, await web1.enter(asked, bob)));
    expect(page.heading).toBe('Our terms');
    expect(page.text).toContain(bob.loginName);
    await web1.browser.submit(page, accept);
    expect([await accepted(), await accepted(bob)]).toEqual([['1'], ['1']]);
  });

  it('speaks the language of its reader, and says in which one it speaks otherwise', async () => {
    web1.browser.acceptLanguage = 'de';
    const german = pageOf(await enter());
    expect([german.heading, german.find('.own-step')?.getAttribute('lang')]).toEqual(['Unsere Bedingungen', undefined]);
    const french = web1.elsewhere();
    french.browser.acceptLanguage = 'fr';
    const english = pageOf(await enter(french));
    expect([english.heading, english.find('.own-step')?.getAttribute('lang')]).toEqual(['Our terms', 'en']);
    expect(english.find('html')?.getAttribute('lang')).toBe('fr');
  });

  it('takes a form that is sent twice', async () => {
    const page = pageOf(await enter());
    const replies = await Promise.all([web1.browser.submitOnce(page, accept), web1.browser.submitOnce(page, accept)]);
    const codes = replies.map(({ location }) => new URL(location!).searchParams.get('code'));
    expect(codes).toEqual([expect.any(String), expect.any(String)]);
    expect((await web1.redeem(codes[0]!)).status).toBe(200);
    expect(await accepted()).toEqual(['1']);
  });
});

describe('No way leads past a login step of an extension [LOG-040]', () => {
  it('not the callback, not the hub, and not the form of a later step', async () => {
    const page = pageOf(await enter());
    const id = encodeURIComponent(requestIdOf(page));
    const { authRequestID, csrf } = page.formWith('authRequestID').fields;
    for (const arrival of [
      await web1.browser.get(`${CALLBACK}?id=${id}`),
      await web1.browser.get(`${paths.hub}?authRequestID=${id}`),
      await web1.browser.post(paths.hub, { authRequestID, csrf }),
      await web1.browser.post(paths.consent, { authRequestID, csrf, decision: 'continue' }),
    ])
      expect(pageOf(arrival).heading).toBe('Our terms');
    expect(await accepted()).toEqual([]);
  });

  it('not its own form before the password: it is not taken, and the extension learns of nobody', async () => {
    const page = await beginPassword(web1, alice.loginName);
    const { authRequestID, csrf } = page.formWith('authRequestID').fields;
    const arrival = pageOf(await web1.browser.post(TERMS, { authRequestID, csrf, ...accept }));
    expect(arrival.find('input[name="password"]')).not.toBeNull();
    expect(await accepted()).toEqual([]);
  });

  it('not a form without its token, or of another browser or another sign-in', async () => {
    const page = pageOf(await enter());
    const { authRequestID, csrf } = page.formWith('authRequestID').fields;
    const thief = web1.elsewhere();
    await thief.authorize();
    for (const [browser, form] of [
      [web1.browser, { authRequestID, ...accept }],
      [web1.browser, { authRequestID, csrf: `${csrf}x`, ...accept }],
      [thief.browser, { authRequestID, csrf, ...accept }],
    ] as const)
      expect((await browser.request('POST', TERMS, form)).status).toBe(403);
    expect((await web1.browser.request('GET', TERMS)).status).toBe(405);
    expect(await accepted()).toEqual([]);
  });

  it('not the account page, nor a form of it', async () => {
    const holder = new AccountHolder(world, alice);
    const page = await holder.open();
    expect(page.heading).toBe('Our terms');
    expect(pageOf(await holder.browser.get(paths.accountData)).heading).toBe('Our terms');
    const account = pageOf(await holder.browser.submit(page, accept));
    expect(account.path).toBe(paths.account);
    const profile = pageOf(await holder.browser.get(paths.accountProfile));
    TermsStep.version = '2';
    const { csrf } = profile.formWith('csrf').fields;
    const refused = await holder.browser.request('POST', paths.accountProfile, { csrf, firstName: 'Mallory' });
    expect(refused.status).toBe(403);
  });

  it('not a device: it comes before the decision about it', async () => {
    const tv = await world.add.client({
      projectId: await world.cast.projectP,
      name: 'Television',
      authMethod: 'none',
      clientType: 'native',
      grantTypes: ['device_code'],
      redirectUris: [],
    });
    const device = new Device(world, tv);
    const codes = await device.start();
    const asked = await device.type(codes.user_code);
    const page = pageOf(await pastOffer(device.client, await device.client.enter(asked, alice)));
    expect(page.heading).toBe('Our terms');
    const { authRequestID, csrf } = page.formWith('authRequestID').fields;
    const skipped = await device.browser.post(paths.deviceConfirm, { authRequestID, csrf, decision: 'continue' });
    expect(pageOf(skipped).heading).toBe('Our terms');
    expect(outcomeOf(await device.pollLater(codes))).toBe('authorization_pending');
    const confirm = pageOf(await device.browser.submit(page, accept));
    await device.browser.submit(confirm, { decision: 'continue' });
    expect(outcomeOf(await device.pollLater(codes))).toBe('ok');
  });
});

describe('A login step that fails lets nobody past', () => {
  const defect = () => {
    throw new Error('the table is gone');
  };
  const forever = () => new Promise(() => undefined);

  it.each<[string, () => unknown]>([
    ['throws', defect],
    ['hangs', forever],
    ['answers nonsense', () => 'no'],
  ])('that %s when it is asked: the application gets temporarily_unavailable, a page 503', async (_, broken) => {
    await signedIn();
    const from = world.logText().length;
    OtherStep.does = { isDue: broken };
    expect(web1.toAnswer(await web1.authorize())).toMatchObject({ error: 'temporarily_unavailable', state: 'S1' });
    const elsewhere = web1.elsewhere();
    const page = await beginPassword(elsewhere, alice.loginName);
    await expect(elsewhere.browser.submit(page, { password: alice.password })).rejects.toThrow('answered 503');
    expect(logged(from)[0]).toMatchObject({ extension: 'other', seam: 'LOGIN_STEP', part: 'OtherStep' });
    OtherStep.does = {};
    expect((await web1.authorize()).redirect).toContain('code=');
  });

  it.each<[string, () => unknown]>([
    ['throws', defect],
    ['hangs', forever],
    [
      'answers nonsense',
      () => ({ title: 'Other', submit: 'Go', body: [{ kind: 'html', text: '<script>x()</script>' }] }),
    ],
    [
      'wants the token of the form',
      () => ({ title: 'Other', submit: 'Go', body: [{ kind: 'field', name: 'csrf', label: 'x' }] }),
    ],
  ])('that %s when its page is wanted', async (_, broken) => {
    await signedIn();
    const from = world.logText().length;
    OtherStep.does = { isDue: () => true, page: broken };
    expect(web1.toAnswer(await web1.authorize())).toMatchObject({ error: 'temporarily_unavailable', state: 'S1' });
    expect(logged(from)[0]).toMatchObject({ extension: 'other', seam: 'LOGIN_STEP' });
  });

  it.each<[string, (turn: Turn) => unknown]>([
    ['throws', defect],
    ['answers nonsense', () => ({ kind: 'ready' })],
    ['answers nothing', () => undefined],
  ])('that %s when its form is sent', async (_, broken) => {
    await signedIn();
    OtherStep.does = { isDue: () => true, submit: broken };
    const page = pageOf(await web1.authorize());
    await expect(web1.browser.submit(page, { decision: 'continue' })).rejects.toThrow('answered 503');
  });

  it('that answers for another user changes nothing about this one', async () => {
    const bob = await world.add.person({ orgId: alice.orgId });
    await signedIn();
    let isDone = false;
    OtherStep.does = {
      isDue: () => !isDone,
      submit: () => {
        isDone = true;
        return { kind: 'done', userId: bob.id, session: { userId: bob.id }, request: { userId: bob.id } };
      },
    };
    const page = pageOf(await web1.authorize());
    const { code } = web1.toAnswer(await web1.browser.submit(page, { decision: 'continue' }));
    const { id_token: idToken } = (await web1.redeem(code!)).json<{ id_token: string }>();
    expect((await web1.verify(idToken)).sub).toBe(alice.id);
  });

  it('that is due again however often it was done ends in an error, not in a circle', async () => {
    await signedIn();
    const from = world.logText().length;
    OtherStep.does = { isDue: () => true };
    let page: Page = pageOf(await web1.authorize());
    for (let time = 1; time < 3; time += 1) page = pageOf(await web1.browser.submit(page, { decision: 'continue' }));
    await expect(web1.browser.submit(page, { decision: 'continue' })).rejects.toThrow('answered 503');
    expect(JSON.stringify(logged(from))).toContain('It was done 3 times, and is due again.');
  });
});

describe('An extension with a login step', () => {
  it('is required: a process without it would let users past', () => {
    expect([terms.required, other.required]).toEqual([true, true]);
  });
});
