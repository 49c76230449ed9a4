import { describe, expect, it } from '@jest/globals';
import type { S3Fault, S3Kind } from '../../support/s3-server.js';
import { at, refusalOf, type S3TestPlace } from './s3-test-place.js';
import { itEndsSilence, LARGE, NAME } from './store-cases.js';

describe('Reading from an S3-compatible storage', () => {
  const full = (work: (place: S3TestPlace) => Promise<void>): (() => Promise<void>) =>
    at(async (place) => {
      await place.write(LARGE);
      place.server.asked.length = 0;
      await work(place);
    });

  const MENDED: ReadonlyArray<[string, S3Kind, S3Fault[]]> = [
    ['is retried if it is unavailable', 'download', [{ status: 503 }, { status: 500 }]],
    ['is retried if it is unavailable at the beginning', 'look', [{ status: 503 }, 'cut-answer']],
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
});
