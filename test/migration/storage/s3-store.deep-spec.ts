import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { TRANSFER_LIMITS } from '../../../src/migration/storage/transfer.js';
import type { S3Fault, S3Kind } from '../../support/s3-server.js';
import { at, refusalOf } from './s3-test-place.js';
import { errorOf, LARGE, LARGE_IN_PRODUCTION, NAME, PART, pieces } from './store-cases.js';

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
        await place.write(content);
        expect(place.holds(content)).toBe(true);
        expect((await place.read()).equals(content)).toBe(true);
        expect(place.server.uploads.size).toBe(0);
      }),
    );
  }

  it.concurrent(
    'takes parts of the size that production has',
    at(async (place) => {
      place.server.minPartBytes = 5_242_880;
      place.chunkBytes = TRANSFER_LIMITS.chunkBytes;
      await place.write(LARGE_IN_PRODUCTION);
      expect(place.holds(LARGE_IN_PRODUCTION)).toBe(true);
      expect((await place.read()).equals(LARGE_IN_PRODUCTION)).toBe(true);
    }),
  );

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

describe('Writing to an S3-compatible storage continues', () => {
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
        await sleep(100); // nothing continues in the background
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
