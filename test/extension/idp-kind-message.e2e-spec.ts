import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { idpKindContract } from '../../src/extension/testing/contract/idp-kind.contract.js';
import { defineExtension } from '../../src/foundation/extension/extension.js';
import { provide } from '../../src/foundation/extension/seam.js';
import {
  IDP_KIND,
  IdpAnswerRefused,
  type IdpForm,
  type IdpIdentity,
  type IdpKind,
  type IdpLeaving,
  type IdpMessage,
} from '../../src/idp/idp-kind.js';
import { MOST_TURNS_PER_MINUTE, TurnRate } from '../../src/login/idp/turn-rate.js';
import { paths } from '../../src/org/instance/paths.js';
import { leave, OUTBOUND, startPath } from '../idp/external.js';
import { begin, pageOf } from '../login/turns.js';
import { type AdminApi, callerWith } from '../support/admin-api.js';
import type { Page } from '../support/browser.js';
import { uniqueName } from '../support/builders.js';
import { send } from '../support/http.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { base, statusOf } from './code-host-world.js';

/** A provider whose message is the person and the nonce of the turn, or what a test makes of it. */
@Injectable()
class HeraldKind implements IdpKind {
  static sends: ((leaving: IdpLeaving) => string | IdpForm) | undefined;
  static reads: ((message: IdpMessage) => IdpIdentity | undefined) | undefined;
  static seen: IdpMessage[] = [];
  readonly kind = 'ext:herald';
  readonly settings = class {};
  readonly message = { state: 'RelayState', fields: ['Message', 'Note'], maxBytes: 10_000 };

  authorizationUrl(leaving: IdpLeaving): string | IdpForm {
    const { state, nonce } = leaving;
    const address = `https://herald.example/?${new URLSearchParams({ RelayState: state, Ask: nonce }).toString()}`;
    return HeraldKind.sends?.(leaving) ?? address;
  }

  async readMessage(message: IdpMessage): Promise<IdpIdentity | undefined> {
    HeraldKind.seen.push(message);
    if (HeraldKind.reads) return HeraldKind.reads(message);
    const { subject, nonce, ...said } = JSON.parse(message.fields['Message'] ?? '{}') as IdpIdentity & {
      nonce?: string;
    };
    if (nonce !== message.nonce) throw new IdpAnswerRefused('other_turn');
    return { subject, ...said };
  }
}

@Module({ providers: [HeraldKind] })
class HeraldModule {}
const herald = defineExtension({
  ...base,
  id: 'herald',
  module: HeraldModule,
  provides: [provide(IDP_KIND, HeraldKind)],
});

const world: World = await startWorld({ extensions: [herald], env: OUTBOUND, loginLimits: 'on' });
const NAME = 'The herald';
let admin: AdminApi;
let web: RelyingParty;
let id: string;

beforeAll(async () => {
  admin = (await callerWith(world, await world.add.org(), ['IAM_OWNER'])).api;
  id = await add(NAME);
});
beforeEach(async () => {
  world.clock.advance('61s');
  web = new RelyingParty(world, await world.cast.web1);
});
afterEach(() => {
  HeraldKind.sends = undefined;
  HeraldKind.reads = undefined;
  HeraldKind.seen = [];
});
afterAll(() => world.close());

async function add(name = uniqueName('Herald')): Promise<string> {
  const added = await admin.call<{ id: string }>('POST', '/admin/v1/idps/extension', {
    name,
    kind: 'ext:herald',
    clientId: 'herald',
    providerOptions: { isLinkingAllowed: true, isCreationAllowed: true, isAutoCreation: true },
  });
  await world.changesToArrive();
  return added.id;
}

type Fields = Readonly<Record<string, string>>;

/** What the provider answers about somebody. */
function answerTo(url: string, said: object = {}): Fields {
  const { searchParams } = new URL(url);
  const subject = uniqueName('told');
  const person = { subject, email: `${subject}@mail.test`, emailVerified: true, ...said };
  const message = JSON.stringify({ ...person, nonce: searchParams.get('Ask') });
  return { RelayState: searchParams.get('RelayState') ?? '', Message: message };
}

/** The cross-site POST, which has no cookie. */
async function post(fields: Fields | string, to = id): Promise<{ status: number; location: string | undefined }> {
  const body = typeof fields === 'string' ? fields : new URLSearchParams(fields).toString();
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  return send(world.origin, { method: 'POST', path: `${paths.externalCallback}/${to}`, headers, body });
}

/** What the browser gets that goes on from there. */
async function onward(location: string | undefined, party = web): Promise<number> {
  const query = Object.fromEntries(new URLSearchParams(location?.split('?')[1]));
  return statusOf(party, id, query);
}

describe('A provider that answers with a message', () => {
  it('signs in the browser that left: the message is read when it is posted, and the cookie checked afterwards', async () => {
    const answer = answerTo(await leave(web, id));
    const { status, location } = await post({ ...answer, Note: 'ö', Other: 'of none' });
    expect([status, location?.startsWith(`${paths.externalCallback}/${id}?state=`)]).toEqual([303, true]);
    expect(location).not.toContain('told');
    expect(HeraldKind.seen).toMatchObject([
      { by: 'form', providerId: id, fields: { Message: answer['Message'], Note: 'ö' }, provedAfter: undefined },
    ]);
    expect(Object.keys(HeraldKind.seen[0]!.fields)).toEqual(['Message', 'Note']);
    expect(await onward(location)).toBe(302);
    expect(HeraldKind.seen).toHaveLength(1);
  });

  it('may be left for by a form, from a link and from a button, which the page may submit nowhere else', async () => {
    HeraldKind.sends = ({ state }) => ({
      action: 'https://herald.example/in',
      fields: { RelayState: state, 'a"<': '>&"' },
    });
    const formOn = (page: Page) => page.forms.find(({ action }) => action === 'https://herald.example/in')?.fields;
    const byLink = formOn(pageOf(await web.browser.get(await startPath(web, id))));
    const party = web.elsewhere();
    const page = pageOf(await party.browser.press(await begin(party), `Continue with ${NAME}`));
    const again = web.elsewhere();
    const { headers } = await again.browser.request('GET', await startPath(again, id));
    expect(headers['content-security-policy']).toMatch(/form-action [^;]*https:\/\/herald\.example/);
    const fields = formOn(page);
    for (const one of [byLink, fields])
      expect(one).toEqual({ RelayState: expect.stringMatching(/^[\w-]{43}$/), 'a"<': '>&"' });
    HeraldKind.reads = () => ({
      subject: uniqueName('by-form'),
      email: `${uniqueName('m')}@mail.test`,
      emailVerified: true,
    });
    const answer = { RelayState: byLink?.['RelayState'] ?? '', Message: 'any' };
    expect(await onward((await post(answer)).location)).toBe(302);
  });

  it('has its message read once, whatever it proves [IDP-051]', async () => {
    const answer = answerTo(await leave(web, id));
    const [one, two] = await Promise.all([post(answer), post(answer)]);
    expect([one.status, two.status].sort()).toEqual([303, 400]);
    expect((await post(answer)).status).toBe(400);
    expect(HeraldKind.seen).toHaveLength(1);
    const refused = answerTo(await leave(web.elsewhere(), id));
    await post({ ...refused, Message: '{}' });
    expect((await post(refused)).status).toBe(400);
  });

  it('signs in no other browser than that which left [IDP-051]', async () => {
    const { location } = await post(answerTo(await leave(web, id)));
    const other = web.elsewhere();
    await other.authorize();
    expect(await onward(location, other)).toBe(400);
    expect(await onward(location)).toBe(302);
    expect(await onward(location)).toBe(400);
  });

  it('answers at its own address alone, with the state of a turn to itself, within an hour [IDP-051]', async () => {
    const other = await add();
    const answer = answerTo(await leave(web, id));
    expect((await post(answer, other)).status).toBe(400);
    expect((await post({ ...answer, RelayState: 'https://evil.example/' })).status).toBe(400);
    expect((await post({ ...answer, RelayState: 'x'.repeat(9_000) })).status).toBe(400);
    expect((await post({ Message: answer['Message']! })).status).toBe(400);
    expect(HeraldKind.seen).toEqual([]);
    world.clock.advance('61m');
    expect((await post(answer)).status).toBe(400);
  });

  it('signs in nobody once it is deactivated, before the message or after it', async () => {
    const own = await add();
    const before = answerTo(await leave(web, own));
    const party = web.elsewhere();
    const { location } = await post(answerTo(await leave(party, own)), own);
    await admin.call('POST', `/admin/v1/idps/${own}/_deactivate`, {});
    await world.changesToArrive();
    expect((await post(before, own)).status).toBe(400);
    const query = Object.fromEntries(new URLSearchParams(location?.split('?')[1]));
    expect([400, 403]).toContain(await statusOf(party, own, query));
    expect(HeraldKind.seen).toHaveLength(1);
  });

  it.each<[string, (answer: Fields) => string]>([
    ['repeated', (answer) => `${new URLSearchParams(answer).toString()}&Message=2`],
    ['malformed', (answer) => `${new URLSearchParams(answer).toString()}&Note=%ff`],
  ])('is refused with a field that is %s, and the turn goes on', async (_, body) => {
    const answer = answerTo(await leave(web, id));
    expect((await post(body(answer))).status).toBe(400);
    expect(HeraldKind.seen).toEqual([]);
    expect((await post(answer)).status).toBe(303);
  });

  it('has a limit of its own for the length, and one for messages of a network [IDP-051]', async () => {
    const answer = answerTo(await leave(web, id));
    expect((await post({ ...answer, Note: 'x'.repeat(10_000) })).status).toBe(400);
    for (let turn = 0; turn < MOST_TURNS_PER_MINUTE; turn += 1)
      try {
        world.get(TurnRate).countMessage('127.0.0.1');
      } catch {
        break;
      }
    expect((await post(answer)).status).toBe(429);
    expect(HeraldKind.seen).toEqual([]);
  });

  it.each<[string, () => IdpIdentity | undefined, number]>([
    [
      'proves nothing',
      () => {
        throw new IdpAnswerRefused('forged');
      },
      400,
    ],
    ['says that nobody has signed in', () => undefined, 400],
    [
      'makes the extension fail',
      () => {
        throw new Error('no');
      },
      502,
    ],
    ['names nobody', () => ({ subject: '' }), 502],
  ])('tells the browser alone if the message %s [IDP-051]', async (_, reads, status) => {
    HeraldKind.reads = reads;
    const { status: posted, location } = await post(answerTo(await leave(web, id)));
    expect(posted).toBe(303);
    expect(await onward(location)).toBe(status);
  });

  it('may send it in the query of an address as well', async () => {
    const answer = answerTo(await leave(web, id));
    expect(await statusOf(web, id, answer)).toBe(302);
    expect(HeraldKind.seen).toMatchObject([{ by: 'query', fields: { Message: answer['Message'] } }]);
    const party = web.elsewhere();
    expect(await statusOf(party, id, { ...answerTo(await leave(party, id)), Message: '{}' })).toBe(400);
  });

  it('says when the user has authenticated, which is obeyed [ACC-018]', async () => {
    const at = (seconds: number) => () => ({
      subject: uniqueName('timed'),
      email: `${uniqueName('timed')}@mail.test`,
      emailVerified: true,
      authenticatedAt: new Date(world.clock.now().getTime() + seconds * 1_000),
    });
    const verdicts: Array<[number, Date | undefined]> = [];
    for (const [seconds, demand] of [
      [-30, { prompt: 'login' }],
      [-600, { prompt: 'login' }],
      [-600, { max_age: 300 }],
      [-600, { max_age: 900 }],
      [-600, {}],
    ] as const) {
      const party = web.elsewhere();
      HeraldKind.reads = at(seconds);
      const { location } = await post(answerTo(await leave(party, id, demand)));
      verdicts.push([await onward(location, party), HeraldKind.seen.at(-1)?.provedAfter]);
    }
    expect(verdicts.map(([status]) => status)).toEqual([302, 400, 400, 302, 302]);
    expect(verdicts.map(([, after]) => after !== undefined)).toEqual([true, true, true, true, false]);
  });
});

describe('The contract of kinds, for one with messages', () => {
  const input = {
    kind: 'ext:herald',
    settings: {},
    clientId: 'herald',
    clientSecret: '',
    answerTo: (
      url: string,
      {
        subject,
        userName,
        email,
        emailVerified,
      }: { subject: string; userName: string; email: string; emailVerified: boolean },
    ) => answerTo(url, { subject, preferredUserName: userName, email, emailVerified }),
  };
  it.each(idpKindContract(() => world, input))('$name', async ({ run }) => run());
});
