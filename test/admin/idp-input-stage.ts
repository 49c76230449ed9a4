import { expect } from '@jest/globals';
import type { Reply } from '../support/http.js';
import { startWorld, type World } from '../support/world.js';
import { fieldsIn, type IdpApi, jwt, oidc, ownerOf, SECRET } from './idp-api.js';

export type Kind = 'oidc' | 'jwt';

/** The fields that are texts, by the kind of provider that has them. */
export const STRINGS: ReadonlyArray<readonly [Kind, string]> = [
  ['oidc', 'name'],
  ['oidc', 'clientId'],
  ['oidc', 'clientSecret'],
  ['oidc', 'issuer'],
  ['jwt', 'name'],
  ['jwt', 'jwtEndpoint'],
  ['jwt', 'issuer'],
  ['jwt', 'keysEndpoint'],
  ['jwt', 'headerName'],
];

/** An owner of the instance, who adds providers whose fields a test changes. */
export class IdpInputStage {
  private constructor(
    readonly world: World,
    readonly api: IdpApi,
  ) {}

  static async set(): Promise<IdpInputStage> {
    const world = await startWorld();
    world.plant(SECRET);
    return new IdpInputStage(world, await ownerOf(world, 'admin'));
  }

  async add(kind: Kind, change: object): Promise<Reply> {
    return this.api.ask('POST', `idps/${kind}`, inputOf(kind, change));
  }

  /** How many providers there are, and how many events. */
  async countRows(): Promise<string> {
    const [row] = await this.world.rows<{ rows: string }>(
      "SELECT (SELECT count(*) FROM idp) || ' ' || (SELECT count(*) FROM event) AS rows",
    );
    return row!.rows;
  }
}

export function inputOf(kind: Kind, change: object): Record<string, unknown> {
  return kind === 'oidc' ? oidc(change) : jwt(change);
}

/** An address of that many characters. */
export function urlOf(length: number): string {
  return 'https://example.com/'.padEnd(length, 'a');
}

/** 400, code 3, naming these fields. */
export function expectInvalid(reply: Reply, ...fields: string[]): void {
  expect([reply.status, reply.json()['code']]).toEqual([400, 3]);
  expect(fieldsIn(reply)).toEqual(fields);
}
