import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { IdpReturn } from '../../src/idp/idp-kind.js';
import { paths } from '../../src/org/instance/paths.js';
import { leave } from '../idp/external.js';
import { begin } from '../login/turns.js';
import { uniqueName } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { CodeHostWorld, HostileKind, statusOf } from './code-host-world.js';

let kinds: CodeHostWorld;
let web: RelyingParty;
/** What the kind was given of forms. */
let seen: Array<IdpReturn['form']>;

beforeAll(async () => {
  kinds = await CodeHostWorld.start();
});
beforeEach(async () => {
  kinds.world.clock.advance('1m');
  web = new RelyingParty(kinds.world, await kinds.world.cast.web1);
  seen = [];
  HostileKind.does.redeem = ({ form }: IdpReturn) => {
    seen.push(form);
    return { subject: uniqueName('by-form') };
  };
});
afterEach(() => {
  HostileKind.does = {};
});
afterAll(() => kinds.close());

type Fields = Readonly<Record<string, string>>;

const stateOf = async (party: RelyingParty, id: string): Promise<string> =>
  new URL(await leave(party, id)).searchParams.get('state') ?? '';

/** The cross-site POST, which has no cookie: where it leads. */
async function posted(id: string, form: Fields | string): Promise<{ status: number; to: string }> {
  const url = `${kinds.world.origin}${paths.externalCallback}/${id}`;
  const { status, headers } = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'manual',
  });
  return { status, to: headers.get('location') ?? '' };
}

describe('A form with which a browser returns from a provider of an extension', () => {
  it('brings a kind the fields that it names, and in the address they cannot be read [IDP-047]', async () => {
    const id = await kinds.hostileProvider();
    const state = await stateOf(web, id);
    const form = { state, code: 'a-code', user: '{"name":"Ann Ö"}', team: 'of another kind', other: 'of none' };
    const { status, to } = await posted(id, form);
    expect([status, to.includes('Ann'), to.includes('another')]).toEqual([303, false, false]);
    await web.browser.get(to);
    expect(seen).toEqual([{ user: '{"name":"Ann Ö"}' }]);
    expect(Object.isFrozen(seen[0])).toBe(true);
  });

  it('brings nothing by the query, which the kind does not name [IDP-047]', async () => {
    const id = await kinds.hostileProvider();
    const state = await stateOf(web, id);
    await statusOf(web, id, { state, code: 'a-code', user: 'planted' });
    expect(seen).toEqual([{}]);
  });

  it.each<[string, (state: string) => Fields | string]>([
    ['is repeated', (state) => `state=${state}&code=a&user=1&user=2`],
    ['is malformed', (state) => `state=${state}&code=a&user=%00`],
    ['has more than 2,000 bytes', (state) => ({ state, code: 'a', user: 'ö'.repeat(1_001) })],
    ['has them with another', (state) => ({ state, code: 'a', user: 'x'.repeat(1_001), note: 'x'.repeat(1_000) })],
  ])('is refused if a field %s [IDP-047]', async (_, form) => {
    const id = await kinds.hostileProvider();
    expect((await posted(id, form(await stateOf(web, id)))).status).toBe(400);
    expect(seen).toEqual([]);
  });

  it('is refused with what came with another state, or was not sealed here [IDP-047]', async () => {
    const id = await kinds.hostileProvider();
    const { to } = await posted(id, { state: 'another', code: 'a', user: 'planted' });
    const brought = new URLSearchParams(to.split('?')[1]).get('brought') ?? '';
    for (const one of [brought, `${brought.slice(0, -2)}xx`, 'x']) {
      const party = web.elsewhere();
      expect(await statusOf(party, id, { state: await stateOf(party, id), code: 'a', brought: one })).toBe(400);
    }
    expect(seen).toEqual([]);
  });
});

describe('The mark that a kind brings', () => {
  it('is on the buttons of its providers, drawn shape by shape, for the eyes alone [IDP-048]', async () => {
    await kinds.add({ name: 'Marked' });
    const page = await begin(web);
    const mark = page
      .all('.providers li')
      .find(({ text }) => text.includes('Marked'))
      ?.querySelector('.provider-mark');
    expect(mark?.outerHTML).toBe(
      '<span class="provider-mark provider-mark-own" aria-hidden="true">' +
        '<svg viewBox="0 0 8 8" focusable="false"><circle cx="4" cy="4" r="3" fill="#123456"></circle></svg></span>',
    );
  });
});
