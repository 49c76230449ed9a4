/*
 * pysaml2 as a service provider of a Gatehouse that runs, over HTTP.
 */
import { addPerson, Browser, ORIGIN, register } from './service.mjs';
import { assert, file, it, keyFiles, peer } from './trial.mjs';

const ACS = 'https://sp.test/acs';
const SLO = 'https://sp.test/slo';

const theirs = await keyFiles('theirs');
const pysaml2 = peer(process.env.PYTHON ?? 'python3', 'pysaml2_peer.py');
const given = { key: theirs.files.key, certificate: theirs.files.certificate };
const metadata = await fetch(`${ORIGIN}/saml/v2/metadata`).then((reply) => reply.text());
const asIdp = { ...given, metadata: file('gatehouse.xml', metadata) };

const application = await register(pysaml2('sp_metadata', given));
const anna = await addPerson();
const browser = new Browser();
const postedTo = ({ forms }, action) => forms.find((form) => form.action === action)?.fields;

try {
  let signedIn;
  for (const binding of ['redirect', 'post'])
    await it(`asks by ${binding}, signed, and reads who has signed in`, async () => {
      const asked = pysaml2('sp_request', { ...asIdp, binding, signed: true });
      const sso = `${ORIGIN}/saml/v2/SSO`;
      let page = await (binding === 'redirect'
        ? browser.go(asked.url)
        : browser.go(sso, { SAMLRequest: asked.SAMLRequest, RelayState: 'state/1?a=b' }));
      const again = postedTo(page, sso);
      if (again) page = await browser.go(sso, again);
      const fields = postedTo(await browser.signIn(page, anna), ACS);
      assert.equal(fields.RelayState, 'state/1?a=b');
      const read = pysaml2('sp_read', { ...asIdp, SAMLResponse: fields.SAMLResponse, requestId: asked.id });
      assert.equal(read.format, 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent');
      assert.deepEqual(read.ava.mail, [anna.email]);
      assert.deepEqual(read.ava.sn, ['Arendt & <co>']);
      signedIn ??= read;
      assert.equal(read.nameId, signedIn.nameId);
    });

  await it('asks without a signature, and is refused since its metadata says that it signs', async () => {
    const asked = pysaml2('sp_request', { ...asIdp, binding: 'redirect', signed: false });
    const page = await browser.go(asked.url);
    assert.equal(page.status, 400);
    assert.equal(postedTo(page, ACS), undefined);
  });

  const logout = (nameId, indexes) =>
    pysaml2('sp_logout', {
      ...asIdp,
      destination: `${ORIGIN}/saml/v2/SLO`,
      issuer: `${ORIGIN}/saml/v2/metadata`,
      binding: 'redirect',
      nameId,
      indexes,
    });
  const isSignedIn = async () => {
    const { url } = pysaml2('sp_request', { ...asIdp, binding: 'redirect', signed: true });
    return postedTo(await browser.go(url), ACS) !== undefined;
  };

  await it('asks for logout of somebody else, and nobody is signed out', async () => {
    const { url } = await browser.go(logout('anna', [signedIn.session]).url);
    assert.ok(url.startsWith(SLO));
    assert.throws(() => pysaml2('sp_read_logout', { ...asIdp, url }), /RequestDenied|StatusError/);
    assert.equal(await isSignedIn(), true);
  });

  await it('asks for logout, and reads that it was done', async () => {
    const asked = logout(signedIn.nameId, [signedIn.session]);
    const { url } = await browser.go(asked.url);
    assert.deepEqual(pysaml2('sp_read_logout', { ...asIdp, url }), { inResponseTo: asked.id, ok: true });
    assert.equal(await isSignedIn(), false);
  });
} finally {
  await application.remove();
}
