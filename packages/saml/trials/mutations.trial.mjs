/*
 * Signed documents, changed at random: whatever somebody makes of them, they say what was signed, or are refused with
 * one of our words. ROUNDS and SEED choose how many and which.
 */
import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';
import { assert, it, keyFiles, load } from './trial.mjs';

const { DOMParser, XMLSerializer } = createRequire(import.meta.url)('@xmldom/xmldom');
const { writeResponse } = await load('idp/write-response');
const { namedAttribute } = await load('idp/attribute-names');
const { readAuthnRequest } = await load('idp/authn-request');
const { readResponse } = await load('sp/read-response');
const { writeAuthnRequest } = await load('sp/write-authn-request');
const { readLogoutRequest, writeLogoutRequest } = await load('logout/logout-request');
const { decodePost } = await load('bindings/post');
const { signXml } = await load('signature/sign-xml');
const { readServiceProvider } = await load('metadata/service-provider');
const { writeServiceProvider } = await load('metadata/write-metadata');
const { SamlRefusal } = await load('refusal');
const { NAME_ID_FORMAT } = await load('protocol/uris');

const ROUNDS = Number(process.env.ROUNDS ?? 5000);
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
const NOW = new Date('2026-11-30T12:00:00Z');
const US = 'https://gatehouse.test';

const key = await keyFiles('signer', 'ec');
const nameId = { value: 'anna', format: NAME_ID_FORMAT.persistent };
const statement = {
  issuer: 'https://idp.test',
  answer: { url: `${US}/acs`, serviceProvider: US, requestId: '_request' },
  nameId,
  authnInstant: NOW,
  authnContext: 'urn:x',
  sessionIndex: '17',
  attributes: [namedAttribute('mail', ['anna@a.test', 'a & b'])],
  now: NOW,
};
const both = writeResponse(statement, key).xml;
const withoutFirstSignature = (xml) => xml.replace(/<ds:Signature.*?<\/ds:Signature>/s, '');
const assertionSigned = withoutFirstSignature(both);
const bare = withoutFirstSignature(assertionSigned);
const responseSigned = signXml(bare, { id: /ID="([^"]*)"/.exec(bare)[1], hasIssuer: true }, key);
const partner = { entityId: 'https://idp.test', signingCertificates: [key.certificate] };
const posted = (parameter, xml) => decodePost({ [parameter]: Buffer.from(xml).toString('base64') });
const person = (xml) =>
  readResponse(posted('SAMLResponse', xml), {
    provider: partner,
    requestId: '_request',
    recipient: `${US}/acs`,
    audience: US,
    now: NOW,
  });

const asked = writeAuthnRequest({
  issuer: 'https://sp.test',
  destination: `${US}/SSO`,
  assertionConsumerUrl: 'https://sp.test/acs',
  now: NOW,
});
const metadata = writeServiceProvider({
  entityId: 'https://sp.test',
  certificates: [key.certificate],
  logoutEndpoints: [{ binding: 'post', url: 'https://sp.test/slo' }],
  nameIdFormats: [NAME_ID_FORMAT.persistent],
  assertionConsumerUrl: 'https://sp.test/acs',
  authnRequestsSigned: true,
});
const serviceProvider = readServiceProvider(Buffer.from(metadata), NOW);
const request = (xml) => readAuthnRequest(posted('SAMLRequest', xml), { serviceProvider, destination: `${US}/SSO` });
const leaving = writeLogoutRequest({
  issuer: 'https://sp.test',
  destination: `${US}/SLO`,
  nameId,
  sessionIndexes: ['17'],
  now: NOW,
});
const logout = (xml) =>
  readLogoutRequest(posted('SAMLRequest', xml), { partner: serviceProvider, destination: `${US}/SLO`, now: NOW });
const signed = ({ xml, id }) => signXml(xml, { id, hasIssuer: true }, key);

/** A document, how it is read, and whether all that is read is signed. */
const SUBJECTS = {
  'a response whose assertion is signed': [assertionSigned, person, true],
  'a response that is signed': [responseSigned, person, true],
  'a response that is signed, with a signed assertion': [both, person, true],
  'a signed request': [signed(asked), request, true],
  'a signed request for logout': [signed(leaving), logout, true],
  metadata: [metadata, (xml) => readServiceProvider(Buffer.from(xml), NOW), false],
};

let state = SEED;
const random = (below) => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};
const pick = (list) => list[random(list.length)];

const NAMESPACES = [
  'urn:oasis:names:tc:SAML:2.0:assertion',
  'urn:oasis:names:tc:SAML:2.0:protocol',
  'http://www.w3.org/2000/09/xmldsig#',
  'urn:x',
  'http://www.w3.org/1999/xhtml',
];
const WORDS = [
  'admin',
  'anna',
  '',
  ' ',
  '_request',
  '#',
  US,
  `${US}/acs`,
  '2026-11-30T12:00:00Z',
  'true',
  '0',
  '\u0085',
  '\r\n',
];
const PIECES = [
  ...[
    '<!-- x -->',
    '<!---->',
    '<![CDATA[admin]]>',
    '<![CDATA[]]>',
    '<?x y?>',
    '&#97;',
    '&amp;',
    '&x;',
    '&#0;',
    '<x/>',
    '<saml:NameID>admin</saml:NameID>',
  ],
  ...[
    ' ID="_x"',
    ' Id="_x"',
    ' xml:id="_x"',
    ' xmlns="urn:x"',
    ' xmlns:saml="urn:x"',
    ' xmlns:ds="urn:x"',
    ' xmlns:ds=""',
    '"',
    "'",
    '<',
    '>',
    '/>',
    ']]>',
    '\n',
  ],
];

const elementsOf = (document) => Array.from(document.getElementsByTagName('*'));
const forge = (node) => {
  for (const text of Array.from(node.getElementsByTagName('*')).flatMap((one) => Array.from(one.childNodes)))
    if (text.nodeType === 3 && text.data.includes('anna')) text.data = text.data.replace('anna', 'admin');
  return node;
};
const isWithin = (node, other) => node === other || (node?.parentNode && isWithin(node.parentNode, other));
const put = (node, place) => {
  if (isWithin(place, node) || place.nodeType !== 1) return;
  node.parentNode?.removeChild(node);
  place.insertBefore(node, pick([...Array.from(place.childNodes), null]));
};

/** Changes of the tree. */
const CHANGES = [
  (all) => put(forge(pick(all).cloneNode(true)), pick(all)),
  (all) => put(pick(all).cloneNode(true), pick(all)),
  (all) => put(pick(all), pick(all)),
  (all) => {
    const [one, other] = [pick(all), pick(all)];
    if (one.parentNode?.nodeType === 1 && !isWithin(other, one)) put(other.cloneNode(true), one.parentNode);
  },
  (all) => {
    const one = pick(all);
    if (one.parentNode?.nodeType === 1) one.parentNode.removeChild(one);
  },
  (all) => {
    const one = pick(all);
    if (one.parentNode?.nodeType !== 1) return;
    const around = one.ownerDocument.createElementNS(
      pick(NAMESPACES),
      pick(['x', 'ds:Object', 'saml:Advice', 'samlp:Extensions', 'script']),
    );
    one.parentNode.replaceChild(around, one);
    around.appendChild(one);
  },
  (all) =>
    pick(all).setAttribute(
      pick(['ID', 'Id', 'id', 'URI', 'Algorithm', 'Destination', 'InResponseTo', 'Format', 'Value']),
      pick(WORDS),
    ),
  (all) => {
    const ids = all.map((one) => one.getAttribute('ID')).filter(Boolean);
    pick(all).setAttribute(pick(['ID', 'Id', 'xml:id']), pick(ids));
  },
  (all) => {
    const one = pick(all);
    const attribute = pick(Array.from(one.attributes));
    if (attribute) one.removeAttribute(attribute.name);
  },
  (all) => {
    const one = pick(all);
    one.appendChild(
      pick([
        one.ownerDocument.createTextNode(pick(WORDS)),
        one.ownerDocument.createComment('x'),
        one.ownerDocument.createCDATASection(pick(WORDS)),
      ]),
    );
  },
  (all) => {
    const texts = all
      .flatMap((one) => Array.from(one.childNodes))
      .filter((node) => node.nodeType === 3 && node.data.trim() !== '');
    if (texts.length > 0) pick(texts).data = pick(WORDS);
  },
];

function changeTree(xml) {
  const document = new DOMParser({ errorHandler: () => undefined }).parseFromString(xml, 'text/xml');
  for (let left = 1 + random(4); left > 0; left -= 1) {
    const all = elementsOf(document);
    if (all.length > 0) pick(CHANGES)(all);
  }
  return new XMLSerializer().serializeToString(document);
}

function changeText(xml) {
  let text = xml;
  for (let left = 1 + random(3); left > 0; left -= 1) {
    const [from, to] = [random(text.length), random(text.length)].sort((a, b) => a - b);
    const changes = [
      () => text.slice(0, from) + pick(PIECES) + text.slice(from),
      () => text.slice(0, from) + text.slice(Math.min(to, from + 1 + random(40))),
      () => text.slice(0, to) + text.slice(from, to) + text.slice(to),
      () => text.replace(pick(['anna', 'saml:', 'ds:', 'ID=', 'Assertion', '_request']), pick(WORDS)),
      // Behind a tag, where most of it stays well-formed.
      () => text.replace(new RegExp(`((?:[^>]*>){${random(60)}})`), (all) => all + pick(PIECES)),
    ];
    text = pick(changes)();
  }
  return text;
}

console.log(`Seed ${SEED}, ${ROUNDS} rounds each`);
for (const [name, [document, read, isSigned]] of Object.entries(SUBJECTS)) {
  const meant = read(document);
  const reasons = new Map();
  let slowest = 0;
  await it(`${name} says what was signed, or is refused`, () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const changed = random(3) === 0 ? changeText(document) : changeTree(document);
      const start = performance.now();
      let reason = 'accepted';
      try {
        const got = read(changed);
        if (isSigned) assert.ok(isDeepStrictEqual(got, meant), `round ${round}: ${changed}`);
      } catch (error) {
        if (!(error instanceof SamlRefusal)) throw new Error(`round ${round}: ${changed}`, { cause: error });
        reason = error.reason;
      }
      slowest = Math.max(slowest, performance.now() - start);
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    }
  });
  const counted = [...reasons].sort(([, a], [, b]) => b - a).map(([reason, count]) => `${reason} ${count}`);
  console.log(`        slowest ${slowest.toFixed(0)} ms; ${counted.join(', ')}`);
}
