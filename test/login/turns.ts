import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { Secret } from '../../src/foundation/config/secret.js';
import { PasswordHash } from '../../src/foundation/password/password-hash.js';
import { paths } from '../../src/org/instance/paths.js';
import { PersonService } from '../../src/user/person.service.js';
import type { UserState } from '../../src/user/user.entity.js';
import { UserService } from '../../src/user/user.service.js';
import type { Arrival, Page } from '../support/browser.js';
import { EDITOR, type TestPerson } from '../support/builders.js';
import type { Parameters, Reply } from '../support/http.js';
import { codeIn, lastMailTo } from '../support/mails.js';
import type { RelyingParty } from '../support/relying-party.js';
import type { World } from '../support/world.js';

/** The page where a navigation ended. @throws Error when it left the service */
export function pageOf(arrival: Arrival): Page {
  if (!arrival.page) throw new Error(`The browser was sent to ${arrival.redirect}.`);
  return arrival.page;
}

/** A request of this client, as far as its first page. */
export async function begin(client: RelyingParty, over: Parameters = {}): Promise<Page> {
  return pageOf(await client.authorize(over));
}

/** As far as the password page for this name. */
export async function beginPassword(client: RelyingParty, loginName: string, over: Parameters = {}): Promise<Page> {
  return pageOf(await client.browser.submit(await begin(client, over), { loginName }));
}

export function requestIdOf(page: Page): string {
  const id =
    page.forms[0]?.fields['authRequestID'] ?? new URLSearchParams(page.path.split('?')[1]).get('authRequestID');
  if (id == null) throw new Error(`The page at ${page.path} belongs to no request.`);
  return id;
}

export async function setState(world: World, person: TestPerson, state: UserState): Promise<void> {
  await world.transaction((tx) => world.get(UserService).changeState(tx, person.id, state, EDITOR));
}

/** A manager changes the address, which its owner has yet to verify. */
export async function setEmail(world: World, person: TestPerson, email: string): Promise<void> {
  await world.transaction(async (tx) =>
    world.get(PersonService).changeEmail(tx, await world.get(UserService).get(tx, person.id), email, false, EDITOR),
  );
}

interface Occupation extends AsyncDisposable {
  end(): Promise<void>;
}

/**
 * Keeps every core hashing and `waiting` more behind them (500 wait at most), each from a network of its own, until it
 * is ended: `await using occupation = occupyHashing(world, 60)`.
 */
export function occupyHashing(world: World, waiting: number): Occupation {
  const hashes = world.get(PasswordHash);
  let isOver = false;
  const occupants = Array.from({ length: availableParallelism() + waiting }, async (_, n) => {
    const turn = { from: `network ${n}`, name: 'somebody else' };
    while (!isOver) await hashes.hash(new Secret('somebody else'), turn).catch(() => sleep(5));
  });
  const end = async (): Promise<void> => {
    isOver = true;
    await Promise.all(occupants);
  };
  return { end, [Symbol.asyncDispose]: end };
}

/** Until as many statements like this one, in its first 1024 bytes, wait for what another transaction holds. */
export async function untilSomebodyWaits(world: World, query: string, count = 1): Promise<void> {
  const waiting =
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1";
  for (const deadline = Date.now() + 20_000; (await world.rows(waiting, [query])).length < count; await sleep(10)) {
    if (Date.now() > deadline) throw new Error(`No statement like ${query} ever waited.`);
  }
}

/** Types the code of the newest mail to an address. */
export async function enterCode(world: World, client: RelyingParty, page: Page, email: string): Promise<Arrival> {
  return client.browser.submit(page, { code: codeIn(world, await lastMailTo(world, email)) });
}

/** The page once more as it is now; for a browser that reloads what a form has shown. */
export async function lookAgain(client: RelyingParty, page: Page): Promise<Arrival> {
  const { authRequestID, csrf } = page.forms.find(({ fields }) => 'authRequestID' in fields)!.fields;
  return client.browser.post(paths.hub, { authRequestID, csrf, show: 'true' });
}

/** The buttons of the page's own forms: those that only lead elsewhere look like links. */
export function buttonsOf(page: Page): string[] {
  return page.all('main button[type="submit"]:not([form])').map(({ text }) => text);
}

/** The errors of a page, each as it is read. */
export function errorsOf(page: Page): string[] {
  return page.all('.notice-error p:not(.notice-title), .notice-error li').map((element) => element.text);
}

/** A body without what differs from one page to the next by nature: tokens and ids. */
export function withoutTokens(reply: Reply): string {
  return reply.text.replaceAll(/(name="(?:csrf|authRequestID)" value=")[^"]*|(authRequestID=)[^"&]*/g, '$1$2');
}

/** The page of a refusal: of ours, and not leading anywhere. */
export function expectRefused(reply: Reply, status: number): void {
  expect([reply.status, reply.location]).toEqual([status, undefined]);
  expect(reply.header('content-type')).toBe('text/html; charset=utf-8');
}
