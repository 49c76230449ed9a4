/*
 * pysaml2 as the identity provider of a Gatehouse that runs, over HTTP.
 */
import { api, Browser, ORIGIN } from './service.mjs';
import { assert, file, it, keyFiles, peer } from './trial.mjs';

const SSO = 'https://idp.test/sso';

const theirs = await keyFiles('theirs');
const pysaml2 = peer(process.env.PYTHON ?? 'python3', 'pysaml2_peer.py');
const given = { key: theirs.files.key, certificate: theirs.files.certificate };

const added = await api('POST', '/admin/v1/idps/extension', {
  name: `Company ${Date.now()}`,
  kind: 'ext:saml',
  settings: { metadata: pysaml2('idp_metadata', given), isEmailVerified: true, keptAttributes: ['urn:oid:2.5.4.4'] },
  providerOptions: { isLinkingAllowed: true, isCreationAllowed: true, isAutoCreation: true },
});
const audience = `${ORIGIN}/saml/v2/sp/${added.id}/metadata`;
const ours = await fetch(audience).then((reply) => reply.text());
const asSp = { ...given, metadata: file('gatehouse-sp.xml', ours) };
const subject = `anna${Date.now()}`;

/** From the account page to the provider. */
async function leave(browser) {
  const page = await browser.go(`${ORIGIN}/ui/account`);
  const { authRequestID } = page.forms.find(({ fields }) => 'authRequestID' in fields).fields;
  const query = new URLSearchParams({ authRequestID, idpConfigID: added.id });
  return (await browser.go(`${ORIGIN}/ui/login/login/externalidp?${query}`)).url;
}

const answer = (asked, over = {}) =>
  pysaml2('idp_answer', {
    ...asSp,
    requestId: asked.id,
    acs: added.callbackUrl,
    audience,
    nameId: subject,
    identity: { mail: [`${subject}@mail.test`], givenName: ['Anna'], sn: ['Arendt & <co>'] },
    signResponse: true,
    signAssertion: true,
    ...over,
  });

async function visit(over) {
  const browser = new Browser();
  const url = await leave(browser);
  assert.ok(url.startsWith(`${SSO}?`), url);
  const asked = pysaml2('idp_read', { ...asSp, url });
  const RelayState = new URL(url).searchParams.get('RelayState');
  const { SAMLResponse } = answer(asked, over);
  return { asked, page: await browser.go(added.callbackUrl, { SAMLResponse, RelayState }) };
}

try {
  assert.equal(added.state, 'IDP_STATE_ACTIVE', JSON.stringify(added.parts));

  await it('reads our metadata and our signed request, and knows where the answer goes', async () => {
    const { asked } = await visit();
    assert.equal(asked.issuer, audience);
    assert.equal(asked.acs, added.callbackUrl);
  });

  for (const [what, signed] of [
    ['the assertion', { signResponse: false }],
    ['the response', { signAssertion: false }],
    ['both', {}],
  ])
    await it(`signs somebody in with a signature over ${what}`, async () => {
      const { page } = await visit(signed);
      assert.equal(page.status, 200);
      assert.match(page.text, /Anna Arendt &amp; &lt;co/);
    });

  await it('signs nobody in without a signature, or to another address', async () => {
    for (const over of [{ signResponse: false, signAssertion: false }, { acs: `${added.callbackUrl}x` }])
      assert.equal((await visit(over)).page.status, 400);
  });
} finally {
  await api('DELETE', `/admin/v1/idps/${added.id}`);
}
