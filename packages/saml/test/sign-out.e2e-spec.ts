import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NameId } from '../src/protocol/name-id.js';
import { NAME_ID_FORMAT } from '../src/protocol/uris.js';
import { newKey, type ServiceProviderPeer } from './support/service-provider.js';
import { Stage } from './support/stage.js';
import type { Visitor } from './support/visitor.js';

let stage: Stage;
let wiki: ServiceProviderPeer;
let mail: ServiceProviderPeer;
let chat: ServiceProviderPeer;
let anna: Visitor;

beforeAll(async () => {
  stage = await Stage.open();
  wiki = await stage.application();
  mail = await stage.application();
  chat = await stage.application({ logout: 'post' });
});
beforeEach(async () => {
  anna = await stage.visitor();
});
afterAll(() => stage.close());

const nameIn = async (at: ServiceProviderPeer, visitor = anna): Promise<NameId> => (await visitor.enter(at)).nameId!;

describe('An application that signs a user out', () => {
  it('ends the session, and gets the answer with its state', async () => {
    const { nameId, sessionIndex } = await anna.enter(wiki);
    const request = wiki.logoutRequest(nameId!, [sessionIndex!]);
    const arrival = await anna.bring(wiki, request, { relayState: 'back/to?x=1' });
    expect(await wiki.loggedOut(arrival, request.id)).toBe('done');
    expect(wiki.received(arrival).relayState).toBe('back/to?x=1');
    expect(await anna.isSignedOut(wiki)).toBe(true);
  });

  it('by a form, which comes without our cookie, is followed with it', async () => {
    const nameId = await nameIn(chat);
    const request = chat.logoutRequest(nameId);
    const arrival = await anna.browser.post(chat.ourLogout, chat.form(request, { relayState: 'R' }));
    expect(await chat.loggedOut(arrival, request.id)).toBe('done');
    expect(chat.received(arrival).relayState).toBe('R');
    expect(await anna.isSignedOut(chat)).toBe(true);
  });

  it('has all others of the session told, one after the other', async () => {
    const nameId = await nameIn(wiki);
    const names = new Map([
      [mail, await nameIn(mail)],
      [chat, await nameIn(chat)],
    ]);
    const request = wiki.logoutRequest(nameId);
    let arrival = await anna.bring(wiki, request, { relayState: 'R' });
    expect(await anna.isSignedOut(wiki)).toBe(true);
    for (let left = names.size; left > 0; left -= 1) {
      const asked = [...names.keys()].find(
        (one) => arrival.redirect?.startsWith(one.slo) || one.posted(arrival, one.slo) !== undefined,
      )!;
      const answer = await asked.answerLogout(arrival);
      expect(answer.nameId).toMatchObject({ value: names.get(asked)!.value, format: NAME_ID_FORMAT.persistent });
      expect(answer.sessionIndexes).toHaveLength(1);
      names.delete(asked);
      arrival = await anna.browser.get(answer.url);
    }
    expect(await wiki.loggedOut(arrival, request.id)).toBe('done');
    expect(wiki.received(arrival).relayState).toBe('R');
    expect(await anna.isSignedOut(mail)).toBe(true);
  });

  it('learns that others are not signed out: they say so, prove nothing, or cannot be told', async () => {
    const silent = await stage.application({ logout: 'none' });
    for (const answer of [
      { outcome: 'failed' },
      { unsigned: true },
      { key: await newKey(stage.world, 'another') },
    ] as const) {
      const visitor = await stage.visitor();
      const request = wiki.logoutRequest(await nameIn(wiki, visitor));
      await nameIn(mail, visitor);
      const asked = await visitor.bring(wiki, request);
      const arrival = await visitor.browser.get((await mail.answerLogout(asked, answer)).url);
      expect(await wiki.loggedOut(arrival, request.id)).toBe('partial');
    }
    const request = wiki.logoutRequest(await nameIn(wiki));
    await nameIn(silent);
    expect(await wiki.loggedOut(await anna.bring(wiki, request), request.id)).toBe('partial');
  });

  it('does not reach sessions in other browsers', async () => {
    const other = anna.elsewhere();
    await other.enter(wiki);
    const request = wiki.logoutRequest(await nameIn(wiki));
    await anna.bring(wiki, request);
    expect([await anna.isSignedOut(wiki), await other.isSignedOut(wiki)]).toEqual([true, false]);
  });

  it('leaves no row of the logout', async () => {
    const request = wiki.logoutRequest(await nameIn(wiki));
    await anna.bring(wiki, request);
    const { id } = anna.person;
    expect(await stage.world.sql`SELECT 1 FROM ext_saml.logout WHERE user_id = ${id}`).toEqual([]);
    expect(await stage.world.sql`SELECT 1 FROM ext_saml.participant WHERE user_id = ${id}`).toEqual([]);
  });
});

describe('SML-016 A request for logout signs nobody out', () => {
  it('without a signature, or with another one', async () => {
    const nameId = await nameIn(wiki);
    const key = await newKey(stage.world, 'another');
    for (const sending of [{ unsigned: true }, { key }, { key: mail.key }]) {
      expect((await anna.bring(wiki, wiki.logoutRequest(nameId), sending)).page?.status).toBe(400);
      const posted = await anna.browser.post(wiki.ourLogout, wiki.form(wiki.logoutRequest(nameId), sending));
      expect(posted.page?.status).toBe(400);
    }
    expect(await anna.isSignedOut(wiki)).toBe(false);
  });

  it('of another application, with the name that the first one has', async () => {
    const nameId = await nameIn(wiki);
    const request = mail.logoutRequest(nameId);
    expect(await mail.loggedOut(await anna.bring(mail, request), request.id)).toBe('failed');
    await nameIn(mail);
    const again = mail.logoutRequest(nameId);
    expect(await mail.loggedOut(await anna.bring(mail, again), again.id)).toBe('failed');
    expect(await anna.isSignedOut(wiki)).toBe(false);
  });

  it('for the name of another person, of another format, or with the index of another session', async () => {
    const own = await nameIn(wiki);
    const bob = await stage.visitor();
    const theirs = await bob.enter(wiki);
    const wrong: ReadonlyArray<readonly [NameId, readonly string[]]> = [
      [theirs.nameId!, []],
      [{ ...own, format: NAME_ID_FORMAT.unspecified }, []],
      [{ ...own, value: own.value.toUpperCase() }, []],
      [{ ...own, spNameQualifier: mail.entityId }, []],
      [own, [theirs.sessionIndex!]],
    ];
    for (const [nameId, indexes] of wrong) {
      const request = wiki.logoutRequest(nameId, indexes);
      expect(await wiki.loggedOut(await anna.bring(wiki, request), request.id)).toBe('failed');
    }
    expect([await anna.isSignedOut(wiki), await bob.isSignedOut(wiki)]).toEqual([false, false]);
  });

  it('that was kept for later, or is for another address', async () => {
    const nameId = await nameIn(wiki);
    const old = wiki.logoutRequest(nameId);
    const kept = chat.form(chat.logoutRequest(await nameIn(chat)));
    const reply = await anna.browser.request('POST', chat.ourLogout, kept);
    stage.world.clock.advance('6m');
    expect((await anna.bring(wiki, old)).page?.status).toBe(400);
    expect((await anna.browser.get(reply.location!)).page?.status).toBe(400);
    const elsewhere = { ...wiki.logoutRequest(nameId), destination: wiki.ourLogout };
    const xml = elsewhere.xml.replace(wiki.ourLogout, wiki.ourSignOn);
    expect((await anna.bring(wiki, { ...elsewhere, xml })).page?.status).toBe(400);
    for (const order of ['', 'x', `${reply.location!.split('order=')[1]!.slice(0, -4)}AAAA`])
      expect((await anna.browser.get(`/saml/v2/SLO/continue?order=${order}`)).page?.status).toBe(400);
    expect(await anna.isSignedOut(wiki)).toBe(false);
  });
});

describe('An answer to a request for logout', () => {
  it('that answers none is a page', async () => {
    const nameId = await nameIn(wiki);
    await nameIn(mail);
    const asked = await anna.bring(wiki, wiki.logoutRequest(nameId));
    const { url } = await mail.answerLogout(asked);
    await anna.browser.get(url);
    expect((await anna.browser.get(url)).page?.status).toBe(400);
    const { url: stateless } = await mail.answerLogout(asked, { relayState: 'unknown' });
    expect((await anna.browser.get(stateless)).page?.status).toBe(400);
  });
});
