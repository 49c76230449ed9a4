import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Arrival } from 'gatehouse/testing';
import { signXml } from '../src/signature/sign-xml.js';
import { newKey, type ServiceProviderPeer } from './support/service-provider.js';
import { Stage } from './support/stage.js';
import type { Visitor } from './support/visitor.js';

let stage: Stage;
let wiki: ServiceProviderPeer;
let mail: ServiceProviderPeer;
let signing: ServiceProviderPeer;
let anna: Visitor;

beforeAll(async () => {
  stage = await Stage.open();
  wiki = await stage.application();
  mail = await stage.application();
  signing = await stage.application({ authnRequestsSigned: true });
});
beforeEach(async () => {
  anna = await stage.visitor();
  await anna.enter(wiki); // whoever attacks hopes for a session
});
afterAll(() => stage.close());

/** A page of ours, from which nothing leads elsewhere. */
function expectPage(arrival: Arrival, status = 400): void {
  expect(arrival.redirect).toBeUndefined();
  expect(arrival.page?.status).toBe(status);
  expect(arrival.page?.forms.filter(({ action }) => /^https?:/.test(action))).toEqual([]);
}

/** The request of an application, with other words in it. */
const changed = (at: ServiceProviderPeer, from: string | RegExp, to: string) => {
  const request = at.request();
  const xml = request.xml.replace(from, to);
  expect(xml).not.toBe(request.xml);
  return { ...request, xml };
};

describe('SML-012 An answer goes to an address of the registered metadata, and nowhere else', () => {
  it('not to one that is not listed', async () => {
    for (const url of [
      'https://evil.test/acs',
      `${wiki.acs}/`,
      `${wiki.acs}?x`,
      `${wiki.acs}#x`,
      wiki.acs.toUpperCase(),
    ])
      expectPage(await anna.bring(wiki, wiki.request({ assertionConsumerUrl: url })));
  });

  it('not to one of another application', async () => {
    expectPage(await anna.bring(wiki, wiki.request({ assertionConsumerUrl: mail.acs })));
    expectPage(await anna.post(wiki, wiki.request({ assertionConsumerUrl: mail.acs })));
  });

  it('not by URL and index at once', async () => {
    expectPage(
      await anna.bring(wiki, changed(wiki, ' AssertionConsumerServiceURL=', ' AssertionConsumerServiceIndex="0"$&')),
    );
    expectPage(
      await anna.bring(
        wiki,
        changed(wiki, / AssertionConsumerServiceURL="[^"]*"/, ' AssertionConsumerServiceIndex="7"'),
      ),
    );
  });

  it('not by another binding', async () => {
    expectPage(await anna.bring(wiki, changed(wiki, 'bindings:HTTP-POST', 'bindings:HTTP-Artifact')));
  });

  it('not for an entity that is not registered', async () => {
    expectPage(await anna.bring(wiki, wiki.request({ issuer: 'https://unknown.test' })));
  });

  it('nor to one that has left the metadata while the user was signing in', async () => {
    const app = await stage.application();
    const bob = await stage.visitor();
    const page = await bob.bring(app, app.request());
    const metadata = app.metadata.replaceAll(app.acs, `${app.acs}2`);
    await stage.owner.call('PUT', `${stage.path}/${app.id}/metadata`, { metadata });
    expectPage(await bob.signIn(page));
  });
});

describe('SML-013 A request that is signed says what was signed', () => {
  it('is needed where the metadata says so, and by the key of the metadata', async () => {
    expectPage(await anna.bring(signing, signing.request(), { unsigned: true }));
    expectPage(await anna.post(signing, signing.request(), { unsigned: true }));
    const key = await newKey(stage.world, 'somebody else');
    expectPage(await anna.bring(signing, signing.request(), { key }));
    expectPage(await anna.post(signing, signing.request(), { key }));
    const request = signing.request();
    expect((await signing.person(await anna.bring(signing, request), request.id)).nameId).toBeDefined();
    const posted = signing.request();
    expect((await signing.person(await anna.post(signing, posted), posted.id)).nameId).toBeDefined();
  });

  it('is needed where the settings say so', async () => {
    const app = await stage.application({ requireSignedRequests: true });
    expectPage(await anna.bring(app, app.request(), { unsigned: true }));
  });

  it('is not one that is wrapped in another', async () => {
    const inner = signing.request();
    const signed = signXml(inner.xml, { id: inner.id, hasIssuer: true }, signing.key);
    const outer = signing.request({ assertionConsumerUrl: signing.acs, forceAuthn: true });
    for (const place of ['</samlp:AuthnRequest>', '<samlp:NameIDPolicy']) {
      const xml = outer.xml.replace(place, (found) => `<samlp:Extensions>${signed}</samlp:Extensions>${found}`);
      expectPage(await anna.post(signing, { ...outer, xml }, { unsigned: true }));
    }
  });

  it('is not one with a parameter twice, in another order, or of another algorithm', async () => {
    const query = (change: (parameters: string[]) => string[]): string => {
      const [base, parameters = ''] = signing.url(signing.request(), { relayState: 'R' }).split('?');
      return `${base}?${change(parameters.split('&')).join('&')}`;
    };
    const twice = query(([message = '', ...rest]) => [message, message, ...rest]);
    const swapped = query(([message = '', state = '', ...rest]) => [state, message, ...rest]);
    const other = query((all) => all.map((one) => one.replace('ecdsa-sha256', 'ecdsa-sha1')));
    const stronger = query((all) => all.map((one) => one.replace('ecdsa-sha256', 'ecdsa-sha512')));
    const without = query((all) => all.filter((one) => !one.startsWith('SigAlg')));
    const otherState = query((all) => all.map((one) => (one === 'RelayState=R' ? 'RelayState=Q' : one)));
    for (const url of [twice, swapped, other, stronger, without, otherState]) expectPage(await anna.browser.get(url));
  });

  it('is not one for another destination', async () => {
    expectPage(await anna.bring(signing, changed(signing, signing.ourSignOn, signing.ourLogout)));
  });
});

describe('SML-015 Nobody is signed in who may not be', () => {
  it('to an application that is inactive', async () => {
    const app = await stage.application({ allowIdpInitiated: true });
    await stage.owner.call('POST', `/management/v1/projects/${stage.projectId}/apps/${app.id}/_deactivate`, {});
    expectPage(await anna.bring(app, app.request()));
    expectPage(await anna.browser.get(`/saml/v2/SSO/init?application=${app.id}`));
  });

  it('to a project that admits only who has a role, or whose organization has a grant', async () => {
    const byRole = await stage.application(
      { allowIdpInitiated: true },
      await stage.project({ projectRoleCheck: true }),
    );
    const arrival = await anna.bring(byRole, byRole.request());
    expect(byRole.status(arrival)).toBe('Responder AuthnFailed');
    expect([...byRole.response(arrival)!.tree()].some(({ name }) => name === 'Signature')).toBe(false);
    expectPage(await anna.browser.get(`/saml/v2/SSO/init?application=${byRole.id}`), 403);

    const byGrant = await stage.application(
      { allowIdpInitiated: true },
      await stage.project({ hasProjectCheck: true }),
    );
    const stranger = await stage.visitor(await stage.world.add.user({ org: await stage.world.add.organization() }));
    const refused = await stranger.signIn(await stranger.bring(byGrant, byGrant.request()));
    expect(byGrant.status(refused)).toBe('Responder AuthnFailed');
    expectPage(await stranger.browser.get(`/saml/v2/SSO/init?application=${byGrant.id}`), 403);
  });

  it('without a request, unless the application allows that', async () => {
    expectPage(await anna.browser.get(`/saml/v2/SSO/init?application=${wiki.id}`));
    for (const wrong of ['', 'unknown', '%00', 'x'.repeat(300)])
      expectPage(await anna.browser.get(`/saml/v2/SSO/init?application=${wrong}`));
    const app = await stage.application({ allowIdpInitiated: true });
    const response = app.response(await anna.browser.get(`/saml/v2/SSO/init?application=${app.id}`));
    expect(response?.attribute('InResponseTo')).toBeUndefined();
    expect(response?.attribute('Destination')).toBe(app.acs);
    expect(app.status(await anna.browser.get(`/saml/v2/SSO/init?application=${app.id}`))).toBe('Success');
  });
});

describe('Whatever else comes', () => {
  it('is answered with a page', async () => {
    for (const query of ['', '?SAMLRequest=', '?SAMLRequest=x', '?SAMLRequest=%', '?SAMLResponse=x', '?RelayState=x']) {
      expectPage(await anna.browser.get(`/saml/v2/SSO${query}`));
      expectPage(await anna.browser.get(`/saml/v2/SLO${query}`));
    }
  });
});
