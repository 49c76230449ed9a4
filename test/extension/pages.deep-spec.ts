import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { defineExtension } from '../../src/foundation/extension/extension.js';
import { provide } from '../../src/foundation/extension/seam.js';
import { paths } from '../../src/org/instance/paths.js';
import { PAGE_SLOT, type PageSlot, type SlotPlace } from '../../src/page/part/page-slot.js';
import { ruleMistakes } from '../../src/process/start/extension-rules.js';
import type { StepText } from '../../src/session/auth-request/step-page.js';
import { CLAIMS, type ClaimsContributor } from '../../src/token/claims/claims-contributor.js';
import { AccountHolder } from '../account/account-turns.js';
import { begin, beginPassword, pageOf } from '../login/turns.js';
import type { TestPerson } from '../support/builders.js';
import { sendUnchecked } from '../support/http.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';

const CSS = '.slot { background: url(sea.svg) }';
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>x()</script></svg>';

@Injectable()
class Help implements PageSlot {
  readonly place: SlotPlace = 'below';
  content(): readonly StepText[] {
    return [{ kind: 'text', text: 'Call us at 100.' }];
  }
}

@Injectable()
class Staff implements ClaimsContributor {
  readonly scopes = ['staff', 'urn:acme:grade', 'desk'];
  readonly claims = ['https://acme.example/staff'];
  async contribute(): Promise<Record<string, string>> {
    return {};
  }
}

/** Of one scope in two languages, of another one in English alone, of the third none. */
const TEXTS = {
  en: {
    'scope.staff': 'see your <b>cost centre</b>',
    'scope.urn:acme:grade': 'see your grade',
    'scope.email': 'read your mail',
  },
  de: { 'scope.staff': 'deine Kostenstelle sehen' },
};

@Module({ providers: [Help, Staff] })
class AcmeModule {}

let folder: string;
let world: World;
let alice: TestPerson;

const acme = (assets: string) =>
  defineExtension({
    id: 'acme',
    version: '1.0.0',
    gatehouse: '>=0.1.0',
    module: AcmeModule,
    provides: [provide(PAGE_SLOT, Help), provide(CLAIMS, Staff)],
    texts: TEXTS,
    assets: pathToFileURL(`${assets}/`),
  });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-assets-'));
  writeFileSync(join(folder, 'style.css'), CSS);
  writeFileSync(join(folder, 'sea.svg'), SVG);
  world = await startWorld({ extensions: [acme(folder)] });
  alice = await world.cast.alice;
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('Pages with the look of an extension', () => {
  it('lead through a sign-in and the account as before, under the same policy', async () => {
    const client = new RelyingParty(world, await world.cast.web1);
    const page = await beginPassword(client, alice.loginName);
    expect(page.find('.card main ~ .slot')?.text).toBe('Call us at 100.');
    expect(page.reply.header('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self' https:\/\/\S+; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect((await client.browser.submit(page, { password: alice.password })).redirect).toContain('code=');
    const account = await new AccountHolder(world, alice, client.browser).open();
    expect(account.find('.card .slot')?.text).toBe('Call us at 100.');
  });

  it('are linked to its stylesheet, which may be cached for good under its address', async () => {
    const client = new RelyingParty(world, await world.cast.web1);
    const sheets = (await begin(client)).all('link[rel="stylesheet"]').map((link) => link.getAttribute('href'));
    const path = sheets.find((href) => href?.startsWith('/ui/login/assets/ext/acme/style.css?v='));
    const reply = await sendUnchecked(world.origin, { path: path! });
    expect([reply.status, reply.text, reply.header('content-type')]).toEqual([200, CSS, 'text/css; charset=utf-8']);
    expect(reply.header('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  it('have pictures, in which nothing runs when they are opened by themselves', async () => {
    const reply = await sendUnchecked(world.origin, { path: '/ui/login/assets/ext/acme/sea.svg' });
    expect([reply.status, reply.header('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8']);
    expect(reply.header('content-security-policy')).toBe("default-src 'none'; style-src 'unsafe-inline'");
    expect(reply.header('x-content-type-options')).toBe('nosniff');
    expect(reply.header('cache-control')).toBe('no-cache');
  });

  it.each(['acme/other.svg', 'other/style.css', 'acme/..%2f..%2fpackage.json', 'acme/%2e%2e', 'acme/__proto__'])(
    'have no other files: %s',
    async (path) => {
      expect((await sendUnchecked(world.origin, { path: `/ui/login/assets/ext/${path}` })).status).toBe(404);
    },
  );
});

describe('A page that asks for consent', () => {
  const SCOPE = 'openid email staff urn:acme:grade desk';
  let asking: RelyingParty;
  beforeAll(async () => {
    const projectId = await world.add.project({ orgId: alice.orgId });
    asking = new RelyingParty(world, await world.add.client({ projectId, consentPage: true, name: 'Wiki' }));
  });

  const meanings = async (locale: string): Promise<unknown> => {
    const client = asking.elsewhere();
    const answer = await client.authorize({ prompt: 'consent', scope: SCOPE, ui_locales: locale });
    const page = pageOf(await client.enter(answer, alice));
    return page.all('.ticks bdi').map((word) => [word.text, word.getAttribute('lang')]);
  };

  it.each([
    ['en', 'see your <b>cost centre</b>', undefined],
    ['de', 'deine Kostenstelle sehen', 'en'],
    ['fr', 'see your <b>cost centre</b>', 'en'],
  ])(
    'names the scopes of extensions by their texts, in English where there is no other (%s)',
    async (locale, words, other) => {
      const found = await meanings(locale);
      expect(found).toEqual([
        [expect.any(String), undefined],
        [expect.any(String), undefined],
        [words, locale === 'fr' ? 'en' : undefined],
        ['see your grade', other],
        ['desk', undefined],
      ]);
      expect(JSON.stringify(found)).not.toContain('read your mail');
    },
  );

  it('and the account page name them alike', async () => {
    const client = asking.elsewhere();
    await client.tokens(alice, { scope: `${SCOPE} offline_access` });
    const page = await new AccountHolder(world, alice, client.browser).open(paths.accountApplications);
    expect(page.all('.account-scopes bdi').map((word) => word.text)).toContain('see your grade');
  });
});

describe('Files of an extension', () => {
  it('are refused at start if they cannot be served, or are not there', async () => {
    const bad = mkdtempSync(join(tmpdir(), 'gatehouse-assets-'));
    writeFileSync(join(bad, 'page.html'), '<script>x()</script>');
    expect(await ruleMistakes([acme(bad)])).toEqual([
      expect.stringMatching(/^The asset page\.html of the extension acme cannot be served\./),
    ]);
    rmSync(bad, { recursive: true });
    expect(await ruleMistakes([acme(bad)])).toEqual([
      expect.stringMatching(/^The assets of the extension acme cannot be read: /),
    ]);
  });
});
