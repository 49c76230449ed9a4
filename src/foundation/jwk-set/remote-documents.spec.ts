import { beforeEach, describe, expect, it } from '@jest/globals';
import { Clock } from '../time/clock.js';
import { RemoteDocuments } from './remote-documents.js';

interface Paper {
  readonly version: number;
}

class HandClock extends Clock {
  private ms = Date.UTC(2026, 0, 1);

  override now(): Date {
    return new Date(this.ms);
  }

  goOn(seconds: number): void {
    this.ms += seconds * 1000;
  }
}

let clock: HandClock;
let asked: number;
/** What the server does with a request. */
let answer: () => Promise<Paper>;
let papers: RemoteDocuments<Paper>;

beforeEach(() => {
  clock = new HandClock();
  asked = 0;
  answer = async () => ({ version: asked });
  papers = new RemoteDocuments(clock, () => {
    asked += 1;
    return answer();
  });
});

const at = (url: string, ownerId = 'org') => ({ url, ownerId });
const a = at('a');
const down = async (): Promise<Paper> => Promise.reject(new Error('down'));
const MANY = Array.from({ length: 500 });

describe('What a provider publishes', () => {
  it('is asked for once by however many ask at once [IDP-024]', async () => {
    await Promise.all(MANY.map(() => papers.get(a)));
    expect(asked).toBe(1);
  });

  it('is kept for five minutes, and then asked for again', async () => {
    await papers.get(a);
    clock.goOn(299);
    expect(await papers.get(a)).toEqual({ version: 1 });
    clock.goOn(1);
    expect(await papers.get(a)).toEqual({ version: 2 });
  });

  it('counts for an hour while its server is unavailable, and is requested every 30 seconds [IDP-026]', async () => {
    await papers.get(a);
    answer = down;
    clock.goOn(301);
    expect(await Promise.all(MANY.map(() => papers.get(a)))).toEqual(MANY.map(() => ({ version: 1 })));
    expect(asked).toBe(2);
    clock.goOn(29);
    await papers.get(a);
    expect(asked).toBe(2);
    clock.goOn(1);
    await papers.get(a);
    expect(asked).toBe(3);
    clock.goOn(3600);
    await expect(papers.get(a)).rejects.toThrow('down');
  });

  it('is not kept when it could not be had', async () => {
    answer = down;
    await expect(papers.get(a)).rejects.toThrow('down');
    answer = async () => ({ version: 7 });
    expect(await papers.get(a)).toEqual({ version: 7 });
  });

  it('is fetched again at once for a missing entry, and then not for 30 seconds [IDP-006, IDP-007]', async () => {
    const first = await papers.get(a);
    clock.goOn(30);
    const newer = await Promise.all(MANY.map(() => papers.getNewer(a, first)));
    expect([asked, newer[0]]).toEqual([2, { version: 2 }]);
    await Promise.all(MANY.map(() => papers.getNewer(a, newer[0]!)));
    expect(asked).toBe(2);
  });

  it('is asked for address by address, and the longest unasked goes when there are too many', async () => {
    for (let n = 0; n <= 1_000; n += 1) await papers.get(at(`address ${n}`));
    expect(asked).toBe(1_001);
    await papers.get(at('address 1000'));
    expect(asked).toBe(1_001);
    await papers.get(at('address 0'));
    expect(asked).toBe(1_002);
  });

  it('is fetched for each owner by itself, so that none waits in the share of another', async () => {
    await papers.get(at('a', 'one'));
    await papers.get(at('a', 'other'));
    expect(asked).toBe(2);
  });

  it('is not asked for again for as long as it rests after a failure, if that is wanted', async () => {
    papers = new RemoteDocuments(
      clock,
      () => {
        asked += 1;
        return answer();
      },
      30,
    );
    answer = down;
    await expect(papers.get(a)).rejects.toThrow('down');
    clock.goOn(29);
    await expect(papers.get(a)).rejects.toThrow('down');
    expect(asked).toBe(1);
    answer = async () => ({ version: 7 });
    clock.goOn(1);
    expect(await papers.get(a)).toEqual({ version: 7 });
  });
});
