import { describe, expect, it } from '@jest/globals';
import type { Fault, Kind } from '../../support/bucket-server.js';
import { at, type GooglePlace, refusalOf } from './google-place.js';
import { errorOf, itEndsSilence, LARGE, NAME } from './store-cases.js';

describe('Reading from a bucket', () => {
  const full = (work: (place: GooglePlace) => Promise<void>): (() => Promise<void>) =>
    at(async (place) => {
      place.server.objects.set(`moves/${NAME}`, LARGE);
      await work(place);
    });

  const MENDED: ReadonlyArray<[string, Kind, Fault[]]> = [
    ['is retried if it is unavailable', 'download', [{ status: 503 }, { status: 429 }]],
    ['is retried if it is unavailable at the beginning', 'look', [{ status: 503 }, 'cut-answer']],
    ['is retried if no token is available for a moment', 'token', [{ status: 503 }]],
    ['continues where the connection broke', 'download', ['cut', 'cut', 'cut', 'cut', 'cut']],
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

  itEndsSilence(full);

  it.concurrent(
    'fails when the storage stays silent',
    full(async (place) => {
      place.silenceMs = 300;
      place.server.order('look', ...Array<Fault>(20).fill('silence'));
      expect(await refusalOf(place.read())).toBe('store.unavailable');
    }),
  );

  const FAULTS: ReadonlyArray<[string, Kind, Fault, number, string]> = [
    ['the account may not', 'look', { status: 403 }, 1, 'store.reading_forbidden'],
    ['the token is refused', 'look', { status: 401 }, 1, 'store.credentials_refused'],
    ['the storage stays away', 'look', { status: 503 }, 20, 'store.unavailable'],
    ['the storage goes away in the middle', 'download', { status: 503 }, 20, 'store.unavailable'],
    [
      'it is replaced or removed in the middle',
      'download',
      { status: 404, message: 'No such object: moves/x' },
      1,
      'store.object_not_found',
    ],
    ['it arrives damaged', 'download', 'damage', 1, 'store.damaged'],
  ];
  for (const [when, kind, fault, times, reason] of FAULTS) {
    it.concurrent(
      `fails when ${when}`,
      full(async (place) => {
        place.server.order(kind, ...Array<Fault>(times).fill(fault));
        expect(await refusalOf(place.read())).toBe(reason);
      }),
    );
  }

  it.concurrent(
    'fails for a file and for a bucket that are not there, by name',
    full(async (place) => {
      expect(await refusalOf(place.read('2026/none.json'))).toBe('store.object_not_found');
      expect(await refusalOf(place.read('all.json', 'elsewhere'))).toBe('store.bucket_not_found');
    }),
  );

  it.concurrent(
    'ends if it is cancelled, with the reason',
    full(async (place) => {
      const stream = await (await place.open()).read(NAME, place.abort.signal);
      const taken = (async () => {
        for await (const _ of stream) place.abort.abort(new Error('canceled'));
      })();
      expect(await errorOf(taken)).toEqual(new Error('canceled'));
    }),
  );
});
