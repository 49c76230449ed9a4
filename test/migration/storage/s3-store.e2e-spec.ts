import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { OutboundConfig } from '../../../src/foundation/config/config.js';
import { Secret } from '../../../src/foundation/crypto/secret.js';
import { DomainError } from '../../../src/foundation/error/domain-error.js';
import { NameResolver } from '../../../src/foundation/outbound/name-resolver.js';
import { OutboundAddresses } from '../../../src/foundation/outbound/outbound-addresses.js';
import type { S3Place } from '../../../src/migration/storage/place.js';
import { endpointOf } from '../../../src/migration/storage/s3-endpoint.js';
import { S3Store } from '../../../src/migration/storage/s3-store.js';
import { type S3Fault, type S3Kind, S3Server } from '../../support/s3-server.js';

const PART = 8_388_608;
/** More than two parts. */
const LARGE = Buffer.alloc(2 * PART + 1_000, 'every organization with all that belongs to it, ');
const NAME = '2026/all.json';

/** A storage, and a file in it as the service has it. */
class Place {
  readonly abort = new AbortController();
  /** Longer than any test, unless silence is what it is about. */
  silenceMs = 60_000;
  region = '';
  secret: string;
  sessionToken: string | undefined;
  /** What the operator has listed. */
  listed: readonly string[];

  constructor(readonly server: S3Server) {
    this.secret = server.secretAccessKey;
    this.listed = [server.origin];
  }

  async open(bucket = 'moves', endpoint = this.server.origin): Promise<S3Store> {
    const place: S3Place = {
      kind: 's3',
      bucket,
      path: NAME,
      endpoint,
      ssl: false,
      region: this.region,
      key: {
        id: this.server.accessKeyId,
        secret: new Secret(this.secret),
        sessionToken: this.sessionToken === undefined ? undefined : new Secret(this.sessionToken),
      },
    };
    const addresses = new OutboundAddresses(Object.assign(new OutboundConfig(), { allow: [] }), new NameResolver());
    return S3Store.open(place, endpointOf(place, this.listed), addresses, {
      retries: 3,
      maxDelayMs: 20,
      silenceMs: this.silenceMs,
    });
  }

  async write(source: Buffer | AsyncIterable<Uint8Array>, name = NAME, bucket = 'moves'): Promise<unknown> {
    return (await this.open(bucket)).write(name, Buffer.isBuffer(source) ? pieces(source) : source, this.abort.signal);
  }

  async read(name = NAME, bucket = 'moves'): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of await (await this.open(bucket)).read(name, this.abort.signal))
      chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  }

  /** Whether the file is there, byte for byte. */
  holds(content: Buffer, name = NAME): boolean {
    return this.server.objects.get(`moves/${name}`)?.content.equals(content) ?? false;
  }

  async untilAsked(kind: S3Kind): Promise<void> {
    while (!this.server.asked.includes(kind)) await sleep(5);
  }

  /** Neither a file nor parts of one. */
  expectNothing(): void {
    expect([this.server.objects.size, this.server.uploads.size]).toEqual([0, 0]);
  }
}

/** Each test has a server of its own, for they run at once. */
const at = (work: (place: Place) => Promise<void>) => async (): Promise<void> => {
  const server = await S3Server.start('moves');
  try {
    await work(new Place(server));
  } finally {
    await server.close();
  }
};

function pieces(content: Buffer, size = 65_536): Readable {
  return Readable.from(
    (function* cut() {
      for (let from = 0; from < content.length; from += size) yield content.subarray(from, from + size);
    })(),
  );
}

async function errorOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
}

async function refusalOf(work: Promise<unknown>): Promise<string> {
  const error = await errorOf(work);
  if (!(error instanceof DomainError)) throw new Error(`Not refused: ${String(error)}`);
  expect(`${error.message} ${String(error.cause)}`).not.toMatch(/GATEHOUSETESTKEY|AWS4|Signature=/);
  return error.reason;
}

describe('A bucket of an S3-compatible storage', () => {
  for (const [what, bytes] of [
    ['nothing', 0],
    ['less than a part', 1_000],
    ['exactly a part', PART],
    ['exactly two', 2 * PART],
    ['more than two', LARGE.length],
  ] as const) {
    it.concurrent(
      `keeps a file of ${what} and gives it back`,
      at(async (place) => {
        const content = LARGE.subarray(0, bytes);
        expect(await place.write(content)).toEqual({ place: 's3://moves/2026/all.json', bytes });
        expect(place.holds(content)).toBe(true);
        expect((await place.read()).equals(content)).toBe(true);
        expect(place.server.uploads.size).toBe(0);
      }),
    );
  }

  it.concurrent(
    'gets a small file in one request, and a large one in parts',
    at(async (place) => {
      await place.write(Buffer.from('{}'));
      await place.write(LARGE, 'large.json');
      expect(place.server.asked).toEqual(['look', 'put', 'look', 'begin', 'part', 'part', 'part', 'complete']);
    }),
  );

  it.concurrent(
    'is asked with the region and the session token that the request names',
    at(async (place) => {
      place.server.region = 'eu-central-1';
      place.server.sessionToken = 'lent for an hour';
      Object.assign(place, { region: 'eu-central-1', sessionToken: 'lent for an hour' });
      await place.write(Buffer.from('{}'));
      expect(place.holds(Buffer.from('{}'))).toBe(true);
    }),
  );

  for (const path of [
    'a?generation=1',
    'a#b',
    '%2e%2e',
    '../x',
    '/etc/passwd',
    's3://other/x',
    'ä ö/ü&name=y+z',
    "(it's)*!",
  ]) {
    it.concurrent(
      `takes the path ${path} as it stands`,
      at(async (place) => {
        await place.write(Buffer.from('{}'), path);
        expect([...place.server.objects.keys()]).toEqual([`moves/${path}`]);
        expect((await place.read(path)).toString()).toBe('{}');
      }),
    );
  }

  it.concurrent(
    'does not replace a file that is there, and sends nothing of the document then',
    at(async (place) => {
      place.server.hold(`moves/${NAME}`, Buffer.from('the first'));
      expect(await refusalOf(place.write(LARGE))).toBe('store.object_exists');
      expect(place.server.text(`moves/${NAME}`)).toBe('the first');
      expect(place.server.asked).toEqual(['look']);
    }),
  );

  for (const bytes of [1_000, LARGE.length]) {
    it.concurrent(
      `does not replace one that came meanwhile (${bytes} bytes)`,
      at(async (place) => {
        async function* slow(): AsyncGenerator<Uint8Array> {
          yield* pieces(LARGE.subarray(0, bytes)) as AsyncIterable<Uint8Array>;
          place.server.hold(`moves/${NAME}`, Buffer.from('the first'));
        }
        expect(await refusalOf(place.write(slow()))).toBe('store.object_exists');
        expect(place.server.text(`moves/${NAME}`)).toBe('the first');
        expect(place.server.uploads.size).toBe(0);
      }),
    );
  }

  it.concurrent(
    'does not replace a file either where the storage knows no conditions',
    at(async (place) => {
      place.server.knowsConditions = false;
      place.server.hold(`moves/${NAME}`, Buffer.from('the first'));
      expect(await refusalOf(place.write(LARGE))).toBe('store.object_exists');
    }),
  );

  it.concurrent(
    'is written by a key that may do nothing but write',
    at(async (place) => {
      place.server.rights = new Set(['put']);
      await place.write(LARGE);
      expect(place.holds(LARGE)).toBe(true);
      place.abort.signal.throwIfAborted();
      expect(await refusalOf(place.write(LARGE))).toBe('store.object_exists');
    }),
  );
});

describe('Where the storage is', () => {
  it.concurrent(
    'must be a public address unless the operator has listed it',
    at(async (place) => {
      place.listed = [];
      expect(await errorOf(place.open('moves', `https://${place.server.host}`))).toMatchObject({
        reason: 'outbound.address_refused',
      });
      const byName = await place.open('moves', `https://localhost:${place.server.host.split(':')[1]!}`);
      expect(await refusalOf(byName.write(NAME, pieces(LARGE), place.abort.signal))).toBe('outbound.address_refused');
      expect(place.server.asked).toEqual([]);
    }),
  );

  it.concurrent(
    'is not asked in plain http unless the operator has listed it so',
    at(async (place) => {
      place.listed = [];
      expect(await refusalOf(place.open())).toBe('store.endpoint_refused');
    }),
  );
});

describe('Writing to an S3-compatible storage goes on', () => {
  const FAULTS: ReadonlyArray<[string, S3Kind, S3Fault[]]> = [
    [
      'when it is unavailable at the beginning',
      'begin',
      [
        { status: 503, code: 'SlowDown' },
        { status: 500, code: 'InternalError' },
      ],
    ],
    ['when it is unavailable in the middle', 'part', [{ status: 503 }, { status: 429 }]],
    ['when a connection breaks in the middle of a part', 'part', ['cut']],
    ['when the answer to a part is lost', 'part', ['cut-answer']],
    ['when the answer to the last request is lost', 'complete', ['cut-answer']],
    ['when the last request fails', 'complete', [{ status: 500 }, 'cut']],
    [
      'when the last request is answered with an error in a good answer',
      'complete',
      [{ status: 200, code: 'InternalError', inBody: true }],
    ],
  ];
  for (const [when, kind, faults] of FAULTS) {
    it.concurrent(
      when,
      at(async (place) => {
        place.server.order(kind, ...faults);
        await place.write(LARGE);
        expect(place.holds(LARGE)).toBe(true);
        expect(place.server.uploads.size).toBe(0);
      }),
    );
  }

  for (const fault of ['cut', 'cut-answer', { status: 503 }] as const) {
    it.concurrent(
      `when a small file meets ${JSON.stringify(fault)}`,
      at(async (place) => {
        place.server.order('put', fault);
        await place.write(Buffer.from('{}'));
        expect(place.holds(Buffer.from('{}'))).toBe(true);
      }),
    );
  }

  for (const kind of ['look', 'begin', 'part', 'complete'] as const) {
    it.concurrent(
      `when the storage is silent for too long (${kind})`,
      at(async (place) => {
        place.silenceMs = 2_000;
        place.server.order(kind, 'silence');
        await place.write(LARGE);
        expect(place.holds(LARGE)).toBe(true);
      }),
    );
  }
});

describe('Nothing is left in an S3-compatible storage, neither a file nor parts of one,', () => {
  for (const [when, bytes] of [
    ['at once', 0],
    ['after a piece', 1_000],
    ['after two parts', 2 * PART + 5],
  ] as const) {
    it.concurrent(
      `when the source fails ${when}`,
      at(async (place) => {
        const failure = new Error('the database is gone');
        async function* failing(): AsyncGenerator<Uint8Array> {
          yield* pieces(LARGE.subarray(0, bytes)) as AsyncIterable<Uint8Array>;
          throw failure;
        }
        expect(await errorOf(place.write(failing()))).toBe(failure);
        await sleep(100); // nothing goes on behind it
        place.expectNothing();
      }),
    );
  }

  for (const kind of ['begin', 'part'] as const) {
    it.concurrent(
      `when the storage falls silent and it is given up, with the reason (${kind})`,
      at(async (place) => {
        place.server.order(kind, 'silence');
        const error = errorOf(place.write(LARGE));
        await place.untilAsked(kind);
        place.abort.abort(new Error('too slow'));
        expect(await error).toEqual(new Error('too slow'));
        place.expectNothing();
      }),
    );
  }

  for (const [kind, content] of [
    ['complete', LARGE],
    ['put', Buffer.from('{}')],
  ] as const) {
    it.concurrent(
      `when it is given up in the very moment in which the file is made (${kind})`,
      at(async (place) => {
        // The file is made, and its answer lost; so are those to the questions after it, until it is given up.
        place.server.order(kind, 'cut-answer', 'silence');
        const error = errorOf(place.write(content));
        while (place.server.asked.filter((asked) => asked === kind).length < 2) await sleep(5);
        expect(place.server.objects.size).toBe(1);
        place.abort.abort(new Error('too slow'));
        expect(await error).toEqual(new Error('too slow'));
        place.expectNothing();
      }),
    );
  }

  it.concurrent(
    'unless the key may not delete that: then it is said',
    at(async (place) => {
      place.server.rights = new Set(['put', 'get']);
      place.server.order('put', 'cut-answer', 'silence');
      const refusal = refusalOf(place.write(Buffer.from('{}')));
      while (place.server.asked.filter((asked) => asked === 'put').length < 2) await sleep(5);
      place.abort.abort(new Error('too slow'));
      expect(await refusal).toBe('store.object_remains');
    }),
  );

  const FAULTS: ReadonlyArray<[string, S3Kind, S3Fault, number, string]> = [
    ['the storage stays away', 'part', { status: 503 }, 20, 'store.unavailable'],
    ['the upload is forgotten', 'part', { status: 404, code: 'NoSuchUpload' }, 1, 'store.unavailable'],
    ['a part is refused', 'part', { status: 400, code: 'InvalidRequest' }, 1, 'store.failed'],
    ['a part arrives damaged', 'part', { status: 400, code: 'XAmzContentSHA256Mismatch' }, 1, 'store.failed'],
    ['the last request stays without an answer', 'complete', { status: 500 }, 20, 'store.unavailable'],
    ['the key is not known', 'look', { status: 403, code: 'InvalidAccessKeyId' }, 0, 'store.credentials_refused'],
  ];
  for (const [when, kind, fault, times, reason] of FAULTS) {
    it.concurrent(
      `when ${when}`,
      at(async (place) => {
        if (times === 0) place.secret = 'another';
        place.server.order(kind, ...Array<S3Fault>(times).fill(fault));
        expect(await refusalOf(place.write(LARGE))).toBe(reason);
        place.expectNothing();
      }),
    );
  }

  it.concurrent(
    'when the key may not write',
    at(async (place) => {
      place.server.rights = new Set(['get']);
      expect(await refusalOf(place.write(LARGE))).toBe('store.writing_forbidden');
      place.expectNothing();
    }),
  );

  it.concurrent(
    'when there is no such bucket',
    at(async (place) => {
      expect(await refusalOf(place.write(LARGE, NAME, 'elsewhere'))).toBe('store.bucket_not_found');
    }),
  );
});

describe('Reading from an S3-compatible storage', () => {
  const full = (work: (place: Place) => Promise<void>): (() => Promise<void>) =>
    at(async (place) => {
      await place.write(LARGE);
      place.server.asked.length = 0;
      await work(place);
    });

  const MENDED: ReadonlyArray<[string, S3Kind, S3Fault[]]> = [
    ['is tried again when it is unavailable', 'download', [{ status: 503 }, { status: 500 }]],
    ['is tried again when it is unavailable at the beginning', 'look', [{ status: 503 }, 'cut-answer']],
    ['goes on where the connection broke', 'download', ['cut', 'cut', 'cut', 'cut', 'cut']],
  ];
  for (const [title, kind, faults] of MENDED) {
    it.concurrent(
      title,
      full(async (place) => {
        place.server.order(kind, ...faults);
        expect((await place.read()).equals(LARGE)).toBe(true);
      }),
    );
  }

  for (const kind of ['look', 'download'] as const) {
    it.concurrent(
      `is tried again when the storage is silent for too long (${kind})`,
      full(async (place) => {
        place.silenceMs = 2_000;
        place.server.order(kind, 'silence');
        expect((await place.read()).equals(LARGE)).toBe(true);
      }),
    );
  }

  const FAULTS: ReadonlyArray<[string, S3Kind, S3Fault, number, string]> = [
    ['the key may not', 'look', { status: 403 }, 1, 'store.reading_forbidden'],
    ['the storage stays away', 'look', { status: 503 }, 20, 'store.unavailable'],
    ['the storage goes away in the middle', 'download', { status: 503 }, 20, 'store.unavailable'],
    ['it is removed in the middle', 'download', { status: 404, code: 'NoSuchKey' }, 1, 'store.object_not_found'],
    ['it is replaced in the middle', 'download', { status: 412, code: 'PreconditionFailed' }, 1, 'store.damaged'],
    ['a file of parts arrives damaged', 'download', 'damage', 1, 'store.damaged'],
  ];
  for (const [when, kind, fault, times, reason] of FAULTS) {
    it.concurrent(
      `fails when ${when}`,
      full(async (place) => {
        place.server.order(kind, ...Array<S3Fault>(times).fill(fault));
        expect(await refusalOf(place.read())).toBe(reason);
      }),
    );
  }

  it.concurrent(
    'fails when a file of another program arrives damaged',
    at(async (place) => {
      place.server.hold(`moves/${NAME}`, Buffer.from('{"orgs":[]}'));
      place.server.order('download', 'damage');
      expect(await refusalOf(place.read())).toBe('store.damaged');
      expect((await place.read()).toString()).toBe('{"orgs":[]}');
    }),
  );

  it.concurrent(
    'fails for a file that is not there, by name',
    full(async (place) => {
      expect(await refusalOf(place.read('2026/none.json'))).toBe('store.object_not_found');
    }),
  );

  for (const kind of ['look', 'download'] as const) {
    it.concurrent(
      `ends when the storage says nothing (${kind}) and it is given up`,
      full(async (place) => {
        place.server.order(kind, 'silence');
        const error = errorOf(place.read());
        await place.untilAsked(kind);
        place.abort.abort(new Error('too slow'));
        expect(await error).toEqual(new Error('too slow'));
      }),
    );
  }
});
