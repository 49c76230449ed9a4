import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** What a browser is asked with, as far as an authenticator needs it. */
interface Options {
  readonly challenge: string;
  readonly rp?: { readonly id: string };
  readonly rpId?: string;
  readonly user?: { readonly id: string };
}

/** What differs from an honest answer. */
export interface Distortion {
  readonly origin?: string;
  readonly flags?: number;
  readonly counter?: number;
  /** Undefined: none is sent. */
  readonly userHandle?: string | undefined;
  readonly signature?: Buffer;
  readonly credentialId?: string;
  /** Where the browser found the key. */
  readonly attachment?: 'platform' | 'cross-platform';
}

export const FLAGS = { present: 0x01, verified: 0x04, backupEligible: 0x08, backedUp: 0x10 } as const;
const ATTESTED = 0x40;
const ALL = FLAGS.present | FLAGS.verified | FLAGS.backupEligible | FLAGS.backedUp;

type Cbor = number | string | Buffer | Map<number | string, Cbor>;

/** RFC 8949: as much of it as an attestation needs. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, each]) => [cbor(key), cbor(each)])]);
}

function head(major: number, count: number): Buffer {
  if (count < 24) return Buffer.from([(major << 5) | count]);
  if (count < 256) return Buffer.from([(major << 5) | 24, count]);
  return Buffer.from([(major << 5) | 25, count >> 8, count & 255]);
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const text = (bytes: Buffer): string => bytes.toString('base64url');

/** An authenticator with one key (ES256), and the browser before it. Answers as JSON, as a form sends them. */
export class Authenticator {
  readonly credentialId: string;
  private readonly privateKey: KeyObject;
  private readonly publicKey: KeyObject;
  private userHandle: string | undefined;
  /** 0: does not count, as synchronized passkeys do not. */
  counter = 0;

  constructor(
    private readonly origin: string,
    private readonly flags: number = ALL,
  ) {
    this.credentialId = text(randomBytes(32));
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.privateKey = pair.privateKey;
    this.publicKey = pair.publicKey;
  }

  /** The public key as services store it. */
  get coseKey(): Buffer {
    const { x = '', y = '' } = this.publicKey.export({ format: 'jwk' });
    const coordinate = (value: string): Buffer => Buffer.from(value, 'base64url');
    return cbor(
      new Map<number, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, coordinate(x)],
        [-3, coordinate(y)],
      ]),
    );
  }

  /** `options`: the JSON of the page. */
  create(options: string, over: Distortion = {}): string {
    const { challenge, rp, user } = JSON.parse(options) as Options;
    this.userHandle = user!.id;
    const id = Buffer.from(over.credentialId ?? this.credentialId, 'base64url');
    const length = Buffer.from([id.length >> 8, id.length & 255]);
    const attested = Buffer.concat([Buffer.alloc(16), length, id, this.coseKey]);
    const authData = this.authData(
      rp!.id,
      (over.flags ?? this.flags) | ATTESTED,
      over.counter ?? this.counter,
      attested,
    );
    const attestation = new Map<string, Cbor>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]);
    return this.answer(over, {
      clientDataJSON: text(this.clientData('webauthn.create', challenge, over)),
      attestationObject: text(cbor(attestation)),
      transports: ['internal', 'hybrid'],
    });
  }

  get(options: string, over: Distortion = {}): string {
    const { challenge, rpId } = JSON.parse(options) as Options;
    const authData = this.authData(rpId!, over.flags ?? this.flags, over.counter ?? this.counter);
    const clientData = this.clientData('webauthn.get', challenge, over);
    const signature = sign('sha256', Buffer.concat([authData, sha256(clientData)]), this.privateKey);
    const userHandle = 'userHandle' in over ? over.userHandle : this.userHandle;
    return this.answer(over, {
      clientDataJSON: text(clientData),
      authenticatorData: text(authData),
      signature: text(over.signature ?? signature),
      ...(userHandle === undefined ? {} : { userHandle }),
    });
  }

  private answer(over: Distortion, response: object): string {
    const id = over.credentialId ?? this.credentialId;
    const { attachment: authenticatorAttachment } = over;
    return JSON.stringify({
      id,
      rawId: id,
      type: 'public-key',
      authenticatorAttachment,
      response,
      clientExtensionResults: {},
    });
  }

  private clientData(type: string, challenge: string, { origin = this.origin }: Distortion): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  private authData(rpId: string, flags: number, counter: number, attested: Buffer = Buffer.alloc(0)): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, attested]);
  }
}
