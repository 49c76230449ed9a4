import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Secret } from '../../../src/foundation/config/secret.js';
import type { DomainError } from '../../../src/foundation/error/domain-error.js';
import { GoogleStore } from '../../../src/migration/storage/google-store.js';
import { readServiceAccount, type ServiceAccount } from '../../../src/migration/storage/service-account.js';
import { TRANSFER_LIMITS } from '../../../src/migration/storage/transfer.js';
import { type Fault, type Kind } from '../../support/bucket-server.js';
import { freePort } from '../../support/free-port.js';
import { at, refusalOf } from './google-place.js';
import { errorOf, LARGE, LARGE_IN_PRODUCTION, NAME, PART, pieces } from './store-cases.js';

describe('A bucket of Google Cloud Storage', () => {
  for (const [what, bytes] of [
    ['nothing', 0],
    ['less than a chunk', 1_000],
    ['exactly a chunk', PART],
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
      }),
    );
  }

  it.concurrent(
    'takes chunks of the size that production has',
    at(async (place) => {
      place.chunkBytes = TRANSFER_LIMITS.chunkBytes;
      await place.write(LARGE_IN_PRODUCTION);
      expect(place.holds(LARGE_IN_PRODUCTION)).toBe(true);
      expect((await place.read()).equals(LARGE_IN_PRODUCTION)).toBe(true);
    }),
  );

  it.concurrent(
    'is asked with tokens that the key of the service account was given for, fetched where the operator says',
    at(async (place) => {
      await place.write(Buffer.from('{}'));
      expect(place.server.asked).toEqual(['token', 'begin', 'chunk']);
    }),
  );

  it.concurrent(
    'without an address for tokens is asked without, as emulators are',
    at(async (place) => {
      const account = readServiceAccount(new Secret(place.server.accountBase64)) as ServiceAccount;
      const store = await GoogleStore.open('moves', account, { endpoint: place.server.origin, tokenUri: undefined });
      expect(await refusalOf(store.write(NAME, pieces(LARGE), place.abort.signal))).toBe('store.credentials_refused'); // this one wants them
      expect(place.server.asked).toEqual(['begin']);
    }),
  );

  for (const [what, doing] of [
    ['written', 'write'],
    ['read', 'read'],
  ] as const) {
    it.concurrent(
      `names the endpoint of tokens when that is away while a file is ${what}, and not the storage`,
      at(async (place) => {
        const away = `http://127.0.0.1:${await freePort()}/token`;
        const store = await place.open('moves', away);
        const refused = await errorOf(
          doing === 'write'
            ? store.write(NAME, pieces(Buffer.from('{}')), place.abort.signal)
            : store.read(NAME, place.abort.signal),
        );
        expect(refused).toMatchObject({ kind: 'Unavailable', reason: 'store.tokens_unavailable' });
        expect((refused as DomainError).message).toContain(away);
        expect(place.server.asked).toEqual([]);
      }),
    );
  }

  for (const path of ['a?generation=1', 'a#b', '%2e%2e', '../x', '/etc/passwd', 'gs://other/x', 'ä ö/ü&name=y']) {
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
    'does not replace a file that is there',
    at(async (place) => {
      place.server.objects.set(`moves/${NAME}`, Buffer.from('the first'));
      expect(await refusalOf(place.write(LARGE))).toBe('store.object_exists');
      expect(place.server.text(`moves/${NAME}`)).toBe('the first');
    }),
  );

  it.concurrent(
    'is written by a role that may do nothing but create',
    at(async (place) => {
      place.server.roles = new Set(['create']);
      await place.write(LARGE);
      expect(place.holds(LARGE)).toBe(true);
    }),
  );
});

describe('Writing to a bucket continues', () => {
  const FAULTS: ReadonlyArray<[string, Kind, Fault[]]> = [
    ['when it is unavailable at the beginning', 'begin', [{ status: 503 }, { status: 429 }]],
    ['when it is unavailable in the middle', 'chunk', [{ status: 503 }, { status: 500 }]],
    ['when a connection breaks in the middle of a chunk', 'chunk', ['cut']],
    ['when the answer to a chunk is lost', 'chunk', ['cut-answer']],
    ['when connections break again and again', 'chunk', ['cut', 'cut-answer', 'cut']],
    ['when no token is to be had for a moment', 'token', [{ status: 503 }]],
  ];
  for (const [when, kind, faults] of FAULTS) {
    it.concurrent(
      when,
      at(async (place) => {
        place.server.order(kind, ...faults);
        await place.write(LARGE);
        expect(place.holds(LARGE)).toBe(true);
      }),
    );
  }

  for (const kind of ['begin', 'chunk'] as const) {
    it.concurrent(
      `when the storage is silent for too long (${kind})`,
      at(async (place) => {
        place.silenceMs = 2_000;
        place.server.order(kind, 'silence');
        await place.write(LARGE.subarray(0, 1_000));
        expect(place.holds(LARGE.subarray(0, 1_000))).toBe(true);
      }),
    );
  }

  for (const [what, bytes] of [
    ['the only', 5],
    ['the last', 2 * PART + 5],
  ] as const) {
    it.concurrent(
      `when the answer to ${what} chunk is lost, by looking whether all of it is there`,
      at(async (place) => {
        place.server.orderForLast('cut-answer');
        await place.write(LARGE.subarray(0, bytes));
        expect(place.holds(LARGE.subarray(0, bytes))).toBe(true);
      }),
    );
  }
});

describe('Nothing is left under the name', () => {
  for (const [when, bytes] of [
    ['at once', 0],
    ['after a piece', 1_000],
    ['after two chunks', 2 * PART + 5],
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
        expect(place.server.objects.size).toBe(0);
      }),
    );
  }

  it.concurrent(
    'when it is given up in the middle, with the reason',
    at(async (place) => {
      const reason = new Error('canceled');
      async function* long(): AsyncGenerator<Uint8Array> {
        for (let count = 0; ; count += 1) {
          if (count === 300) place.abort.abort(reason);
          yield LARGE.subarray(0, 65_536);
        }
      }
      expect(await errorOf(place.write(long()))).toBe(reason);
      await sleep(100);
      expect(place.server.objects.size).toBe(0);
    }),
  );

  it.concurrent(
    'when the storage falls silent and it is given up',
    at(async (place) => {
      place.server.order('chunk', 'silence');
      const error = errorOf(place.write(LARGE));
      await place.untilAsked('chunk');
      place.abort.abort(new Error('too slow'));
      expect(await error).toEqual(new Error('too slow'));
      expect(place.server.objects.size).toBe(0);
    }),
  );

  const FAULTS: ReadonlyArray<[string, Kind, Fault, number, string]> = [
    ['the account may not create it', 'begin', { status: 403 }, 1, 'store.writing_forbidden'],
    ['the token is refused', 'begin', { status: 401 }, 1, 'store.credentials_refused'],
    ['the storage refuses it', 'begin', { status: 400 }, 1, 'store.failed'],
    ['the storage conflicts', 'begin', { status: 409 }, 1, 'store.failed'],
    ['the storage stays away at the beginning', 'begin', { status: 503 }, 20, 'store.unavailable'],
    ['the storage stays away in the middle', 'chunk', { status: 503 }, 20, 'store.unavailable'],
    ['connections keep breaking', 'chunk', 'cut', 20, 'store.unavailable'],
    ['too much is asked of it', 'chunk', { status: 429 }, 20, 'store.unavailable'],
    ['the upload is forgotten', 'chunk', { status: 410 }, 1, 'store.unavailable'],
  ];
  for (const [when, kind, fault, times, reason] of FAULTS) {
    it.concurrent(
      `when ${when}`,
      at(async (place) => {
        place.server.order(kind, ...Array<Fault>(times).fill(fault));
        expect(await refusalOf(place.write(LARGE))).toBe(reason);
        expect(place.server.objects.size).toBe(0);
      }),
    );
  }

  for (const [when, fault] of [
    ['it arrives damaged', 'damage'],
    ['it arrives damaged and the storage does not see it', 'unseen-damage'],
    ['it is told with another checksum', 'wrong-checksum'],
  ] as const) {
    it.concurrent(
      `when ${when}`,
      at(async (place) => {
        place.server.orderForLast(fault);
        expect(await refusalOf(place.write(LARGE))).toBe('store.damaged');
        expect(place.server.objects.size).toBe(0);
      }),
    );
  }

  it.concurrent(
    'when the account is unknown or its key revoked',
    at(async (place) => {
      place.server.isAccountAlive = false;
      expect(await refusalOf(place.write(LARGE))).toBe('store.credentials_refused');
    }),
  );

  it.concurrent(
    'when there is no such bucket',
    at(async (place) => {
      expect(await refusalOf(place.write(LARGE, NAME, 'elsewhere'))).toBe('store.bucket_not_found');
    }),
  );

  it.concurrent(
    'unless what arrived damaged may not be deleted: then that is said',
    at(async (place) => {
      place.server.roles = new Set(['create']);
      place.server.orderForLast('unseen-damage');
      expect(await refusalOf(place.write(LARGE))).toBe('store.damaged_remains');
    }),
  );
});
