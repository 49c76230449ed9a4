import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/**
 * For TLS on this machine: an authority that only this run knows, and what it says of a server called provider.test,
 * once until 2126 and once until 2020. Made anew each time, so that no key is kept anywhere.
 */

/** A value in DER (ITU-T X.690, section 8.1). */
function der(tag: number, ...contents: ReadonlyArray<Buffer | string>): Buffer {
  const content = Buffer.concat(contents.map((one) => Buffer.from(one as string)));
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x1_00 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...contents: readonly Buffer[]): Buffer => der(0x30, ...contents);
/** Its bytes, as the standards list them. */
const id = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const name = (commonName: string): Buffer => sequence(der(0x31, sequence(id('550403'), der(0x0c, commonName))));
const time = (text: string): Buffer => der(0x18, text);

const ECDSA_WITH_SHA256 = sequence(id('2a8648ce3d040302'));
/** Basic constraints, critical: of an authority, or of nobody's. */
const AUTHORITY = sequence(
  id('551d13'),
  der(0x01, Buffer.from([0xff])),
  der(0x04, sequence(der(0x01, Buffer.from([0xff])))),
);
const NAMES = sequence(id('551d11'), der(0x04, sequence(der(0x82, 'provider.test'), der(0x82, 'other.test'))));

interface Wanted {
  readonly subject: string;
  readonly publicKey: KeyObject;
  readonly until: string;
  readonly extension: Buffer;
}

/** RFC 5280 §4.1. */
function certify({ subject, publicKey, until, extension }: Wanted): string {
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([0x40]), randomBytes(15)),
    ECDSA_WITH_SHA256,
    name(authorityName),
    sequence(time('20190101000000Z'), time(until)),
    name(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension)),
  );
  const signature = sign('sha256', body, authorityKeys.privateKey);
  const whole = sequence(body, ECDSA_WITH_SHA256, der(0x03, Buffer.from([0]), signature));
  return `-----BEGIN CERTIFICATE-----\n${whole.toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
}

const keysOf = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
/** Another name each time, since a process may come to trust several. */
const authorityName = `Test authority ${randomBytes(6).toString('hex')}`;
const authorityKeys = keysOf();
const server = keysOf();
const ofServer = { subject: 'provider.test', publicKey: server.publicKey, extension: NAMES };

export const authority = certify({
  subject: authorityName,
  publicKey: authorityKeys.publicKey,
  until: '21260101000000Z',
  extension: AUTHORITY,
});

export const certificate = certify({ ...ofServer, until: '21260101000000Z' });

export const expiredCertificate = certify({ ...ofServer, until: '20200101000000Z' });

export const key = server.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
