import { constants, createHmac, createPublicKey, KeyObject, sign as signWith } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exportJWK } from 'jose';
import { assertAs, exchangeAssertion, signAssertion } from '../support/assertion.js';
import { makeKey, type TestKey, type TestService } from '../support/builders.js';
import { forgedJwts } from '../support/forged-jwts.js';
import { otherSpellings, signTexts } from '../support/jwt-spellings.js';
import { tokensOf } from '../support/relying-party.js';
import { openSink, type Sink } from '../support/sink.js';
import { statementsDuring } from '../support/statement-counter.js';
import { expectToken400 } from '../support/verdict.js';
import { startWorld, type World } from '../support/world.js';
import { craft, expectRefused, headerOf, payloadOf } from './crafted-assertion.js';

let world: World;
let svc1: TestService;
let svc2: TestService;
let ec: TestService;
let sink: Sink;

beforeAll(async () => {
  world = await startWorld();
  svc1 = await world.cast.svc1;
  svc2 = await world.cast.svc2;
  ec = await world.add.service({ orgId: (await world.cast.orgA).id }, 'ES256');
  sink = await openSink();
});
afterAll(async () => {
  expect(sink.connections).toBe(0);
  await sink.close();
  await world.close();
});

describe('alg (RFC 8725 §3.1)', () => {
  it.each(['none', 'None', 'nOnE', '', undefined, null, 5, ['RS256'], 'HS256', 'RS512', 'ES256', 'EdDSA'])(
    '%p is refused for an RSA key [TOK-025]',
    async (alg) => {
      const header = JSON.stringify({ alg, kid: svc1.key.kid });
      await expectRefused(world, craft(svc1, header, payloadOf(world, svc1)));
      await expectRefused(
        world,
        craft(svc1, header, payloadOf(world, svc1), () => Buffer.alloc(0)),
      );
    },
  );

  it('without any signature is refused [TOK-025]', async () => {
    const [header, payload] = (await signAssertion(world, svc1.key, svc1.id)).split('.');
    await expectRefused(world, `${header}.${payload}.`);
    await expectRefused(world, `${header}.${payload}`);
  });

  it('HS256 keyed with the public key in any form is refused [TOK-026]', async () => {
    const key = createPublicKey(KeyObject.from(svc1.key.privateKey));
    const pem = key.export({ type: 'spki', format: 'pem' }).toString();
    const pkcs1 = key.export({ type: 'pkcs1', format: 'pem' }).toString();
    const secrets = [
      pem,
      pem.trimEnd(),
      pkcs1,
      pkcs1.trimEnd(),
      key.export({ type: 'spki', format: 'der' }),
      key.export({ type: 'pkcs1', format: 'der' }),
      JSON.stringify(svc1.key.publicJwk),
      svc1.key.publicJwk.n!,
    ];
    for (const secret of secrets) {
      await expectRefused(
        world,
        craft(svc1, headerOf(svc1, { alg: 'HS256' }), payloadOf(world, svc1), (input) =>
          createHmac('sha256', secret).update(input).digest(),
        ),
      );
    }
  });
});

describe('An EC key', () => {
  it('decides about the algorithm, whatever the header says (RFC 8725 §3.1) [CAU-003]', async () => {
    for (const assertion of forgedJwts(ec.key, payloadOf(world, ec))) await expectRefused(world, assertion);
    expect((await assertAs(world, ec)).status).toBe(200);
  });
});

describe('kid', () => {
  it.each<[string, unknown]>([
    ['unknown', '1'],
    ['missing', undefined],
    ['a number', 5],
    ['null', null],
    ['a list', ['x']],
    ['a path', '../../dev/null'],
    ['SQL', "' OR 1=1--"],
    ['64 kB', 'x'.repeat(8000)],
    ['__proto__', '__proto__'],
    ['empty', ''],
    ['NUL', '\u0000'],
  ])('that is %s is refused with one look-up at most [TOK-027]', async (_, kid) => {
    const assertion = await signAssertion(world, svc1.key, svc1.id, { header: { kid } });
    await world.changesToArrive();
    const statements = await statementsDuring(() => expectRefused(world, assertion));
    expect(statements.length).toBeLessThanOrEqual(1);
  });

  it('of another service user is refused: its key speaks for itself alone [TOK-027]', async () => {
    await expectRefused(world, await signAssertion(world, svc2.key, svc1.id));
    await expectRefused(world, await signAssertion(world, { ...svc2.key, kid: svc1.key.kid }, svc1.id));
  });
});

describe('Keys in the header (RFC 8725 §3.10)', () => {
  it('are never looked at, nor fetched [TOK-028]', async () => {
    const stranger: TestKey = { ...(await makeKey()), kid: svc1.key.kid };
    const jwk = await exportJWK(createPublicKey(KeyObject.from(stranger.privateKey)));
    for (const header of [{ jwk }, { jku: sink.url }, { x5u: sink.url }, { x5c: ['MIIB'] }]) {
      await expectRefused(world, await signAssertion(world, stranger, svc1.id, { header }));
      await expectRefused(
        world,
        await signAssertion(world, stranger, svc1.id, { header: { ...header, kid: undefined } }),
      );
    }
  });
});

describe('The form of a JWS', () => {
  it('has no unknown critical extensions, and only the compact form [TOK-029]', async () => {
    const good = await signAssertion(world, svc1.key, svc1.id);
    const [header, payload, signature] = good.split('.');
    const variants = [
      craft(svc1, headerOf(svc1, { crit: ['x'], x: 1 }), payloadOf(world, svc1)),
      craft(svc1, headerOf(svc1, { crit: ['b64'], b64: false }), payloadOf(world, svc1)),
      `${good}.x.y`,
      JSON.stringify({ payload, protected: header, signature }),
      JSON.stringify({ payload, signatures: [{ protected: header, signature }] }),
      craft(svc1, 'null', payloadOf(world, svc1)),
      craft(svc1, '[]', payloadOf(world, svc1)),
      craft(svc1, '"x"', payloadOf(world, svc1)),
      craft(svc1, '', payloadOf(world, svc1)),
      craft(svc1, headerOf(svc1), '[]'),
      craft(svc1, headerOf(svc1), 'null'),
      craft(svc1, headerOf(svc1), '"x"'),
      craft(svc1, headerOf(svc1), ''),
      craft(svc1, headerOf(svc1), `[${payloadOf(world, svc1)}]`),
      craft(svc1, headerOf(svc1), '{'),
      '..',
      '.',
      '',
      '...',
    ].filter((text) => text !== '');
    for (const assertion of variants) await expectRefused(world, assertion);
  });

  it('has one spelling: neither padding, blanks, line breaks nor set unused bits (RFC 7515 §2)', async () => {
    const assertion = await signAssertion(world, svc1.key, svc1.id, { claims: { jti: undefined } });
    for (const text of otherSpellings(assertion)) await expectRefused(world, text);
    tokensOf(await exchangeAssertion(world, assertion));
  });

  it('has each member of its header once (RFC 7515 §4)', async () => {
    for (const doubled of ['"alg":"RS256",', `"kid":"${svc1.key.kid}",`, '"\u0061lg":"RS256",']) {
      await expectRefused(
        world,
        signTexts(svc1.key, headerOf(svc1).replace('{', `{${doubled}`), payloadOf(world, svc1)),
      );
    }
    tokensOf(await exchangeAssertion(world, signTexts(svc1.key, headerOf(svc1), payloadOf(world, svc1))));
  });

  it.each(['at+jwt', 'dpop+jwt', 'secevent+jwt', 5])('has the typ of an assertion, if any: not %p', async (typ) => {
    expectToken400(await assertAs(world, svc1, { header: { typ } }), 'invalid_grant');
    expect((await assertAs(world, svc1, { header: { typ: 'JWT' } })).status).toBe(200);
  });
});

describe('Signatures', () => {
  const ecKey = (): KeyObject => KeyObject.from(ec.key.privateKey);
  const raw = (input: Buffer): Buffer => signWith('sha256', input, { key: ecKey(), dsaEncoding: 'ieee-p1363' });

  it('of ES256 are r and s of full length, none of them zero [TOK-040]', async () => {
    expect((await exchangeAssertion(world, craft(ec, headerOf(ec), payloadOf(world, ec), raw))).status).toBe(200);
    const bad: Array<(input: Buffer) => Buffer> = [
      () => Buffer.alloc(64),
      () => Buffer.concat([Buffer.alloc(32, 1), Buffer.alloc(32)]),
      (input) => signWith('sha256', input, ecKey()),
      (input) => raw(input).subarray(0, 63),
      (input) => Buffer.concat([raw(input), Buffer.alloc(1)]),
      () => Buffer.alloc(64, 0xff),
    ];
    for (const sign of bad) await expectRefused(world, craft(ec, headerOf(ec), payloadOf(world, ec), sign));
  });

  it('of RS256 and PS256 are those of the whole modulus, with the salt of RFC 7518 [TOK-040]', async () => {
    const key = KeyObject.from(svc1.key.privateKey);
    const pss =
      (saltLength: number) =>
      (input: Buffer): Buffer =>
        signWith('sha256', input, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength });
    const ps256 = headerOf(svc1, { alg: 'PS256' });
    expect((await exchangeAssertion(world, craft(svc1, ps256, payloadOf(world, svc1), pss(32)))).status).toBe(200);
    for (const salt of [0, 20, 64]) await expectRefused(world, craft(svc1, ps256, payloadOf(world, svc1), pss(salt)));
    await expectRefused(world, craft(svc1, headerOf(svc1), payloadOf(world, svc1), pss(32)));
    await expectRefused(
      world,
      craft(svc1, headerOf(svc1), payloadOf(world, svc1), (input) => signWith('sha256', input, key).subarray(1)),
    );
    await expectRefused(
      world,
      craft(svc1, headerOf(svc1), payloadOf(world, svc1), (input) => signWith('sha1', input, key)),
    );
  });
});
