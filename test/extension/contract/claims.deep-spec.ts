import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { Database } from '../../../src/extension/facade/database.js';
import { GatehouseServices } from '../../../src/extension/facade/gatehouse-services.js';
import { type ClaimsContractInput, claimsContract } from '../../../src/extension/testing/contract/claims.contract.js';
import { defineExtension } from '../../../src/foundation/extension/extension.js';
import { provide } from '../../../src/foundation/extension/seam.js';
import {
  CLAIMS,
  type ClaimsContributor,
  type ClaimsPlace,
  type ClaimsQuestion,
  type JsonValue,
} from '../../../src/token/claims/claims-contributor.js';
import { startWorld } from '../../support/world.js';
import { brokenIn } from './broken.js';

const COST_CENTRE = 'https://acme.example/cost_centre';
const GRADE = 'https://acme.example/grade';

type Answer = Readonly<Record<string, JsonValue>>;

/** Reads two claims from a table of its own; `does` breaks it. */
@Injectable()
class HrClaims implements ClaimsContributor {
  static does: ((right: Answer, question: ClaimsQuestion, database: Database) => Promise<Answer>) | undefined;
  readonly scopes = ['hr'];
  readonly claims = [COST_CENTRE, GRADE];

  constructor(private readonly database: Database) {}

  async contribute(question: ClaimsQuestion): Promise<Answer> {
    const right = await this.read(question.userId);
    return HrClaims.does ? HrClaims.does(right, question, this.database) : right;
  }

  protected async read(userId: string): Promise<Answer> {
    const [row] = await this.database.query<{ costCentre: string; grade: number }>(
      'SELECT cost_centre AS "costCentre", grade FROM ext_hr.employee WHERE user_id = :userId',
      { userId },
    );
    return row ? { [COST_CENTRE]: row.costCentre, [GRADE]: row.grade } : {};
  }
}

/** For programs, and never left out. */
@Injectable()
class GroupClaims implements ClaimsContributor {
  static readonly members = new Set<string>();
  readonly scopes = ['teams'];
  readonly claims = ['https://acme.example/group'];
  readonly places: readonly ClaimsPlace[] = ['access_token', 'userinfo', 'introspection'];
  readonly onFailure = 'refuse';

  async contribute({ userId }: ClaimsQuestion): Promise<Answer> {
    return GroupClaims.members.has(userId) ? { 'https://acme.example/group': userId } : {};
  }
}

@Module({ imports: [GatehouseServices], providers: [HrClaims, GroupClaims] })
class HrModule {}

const hr = defineExtension({
  id: 'hr',
  version: '1.0.0',
  gatehouse: '>=0.1.0',
  module: HrModule,
  provides: [provide(CLAIMS, HrClaims), provide(CLAIMS, GroupClaims)],
  schemaChanges: [
    {
      name: '1-employee',
      up: `CREATE TABLE employee (
        user_id text PRIMARY KEY REFERENCES user_account (id) ON DELETE CASCADE,
        cost_centre text NOT NULL,
        grade integer NOT NULL
      )`,
    },
  ],
});

const world = await startWorld({ extensions: [hr] });
afterAll(() => world.close());

const ofHr: ClaimsContractInput = {
  scope: 'hr',
  given: (user) => world.sql`INSERT INTO ext_hr.employee VALUES (${user.id}, ${`K-${user.userName}`}, 7)`,
  expect: (user) => ({ [COST_CENTRE]: `K-${user.userName}`, [GRADE]: 7 }),
};

describe('A contributor that reads a table keeps the contract', () => {
  for (const { name, run } of claimsContract(world, ofHr)) it(name, run);
});

describe('A contributor for programs that must not be left out keeps the contract', () => {
  const cases = claimsContract(() => world, {
    scope: 'teams',
    given: async ({ id }) => GroupClaims.members.add(id),
    expect: (user) => ({ 'https://acme.example/group': user.id }),
    statements: 0,
  });
  for (const { name, run } of cases) it(name, run);
});

describe('The contract tells what is wrong with a contributor', () => {
  afterEach(() => {
    HrClaims.does = undefined;
  });
  /** A contributor that answers about one user what it was asked about another. */
  const confused = (): typeof HrClaims.does => {
    let first: Answer | undefined;
    return async (right) => (first ??= right);
  };

  it.each<[string, () => typeof HrClaims.does, RegExp, RegExp]>([
    [
      'throws',
      () => () => Promise.reject(new Error('no connection')),
      /nothing undeclared/,
      /^HrClaims\.contribute throws: Error: no connection$/,
    ],
    [
      'hangs',
      () => () => new Promise(() => undefined),
      /nothing undeclared/,
      /^HrClaims\.contribute takes longer than 300 ms\.$/,
    ],
    [
      "answers another user's claims",
      confused,
      /never gets those of another/,
      /^Asked about several users at once, what HrClaims says of person-\d+ is .* instead of /,
    ],
    [
      'answers nothing',
      () => async () => null as never,
      /nothing undeclared/,
      /^HrClaims answers null instead of an object\.$/,
    ],
    [
      'makes a claim that it does not declare',
      () => async (right) => ({ ...right, other: 1 }),
      /nothing undeclared/,
      /^HrClaims makes the claim other, which it does not declare: it is dropped\.$/,
    ],
    [
      'answers at length',
      () => async () => ({ [COST_CENTRE]: 'x'.repeat(5_000) }),
      /nothing undeclared/,
      /^HrClaims answers with 50\d\d bytes; at most 4096 are taken\.$/,
    ],
    [
      'says the same of every user',
      () => async () => ({ [GRADE]: 1 }),
      /a user who is gone/,
      /^What HrClaims answers about a user who does not exist is \{"https:\/\/acme\.example\/grade":1\} instead of \{\}\.$/,
    ],
    [
      'takes a statement for each claim',
      () =>
        async (right, { userId }, database) => {
          await database.query('SELECT grade FROM ext_hr.employee WHERE user_id = :userId', { userId });
          return right;
        },
      /no more statements/,
      /^HrClaims takes 2 statements for an answer; 1 declared: ext\./,
    ],
    [
      'writes',
      () =>
        async (right, { userId }, database) => {
          await database.query('UPDATE ext_hr.employee SET grade = grade WHERE user_id = :userId', { userId });
          return right;
        },
      /no more statements/,
      /statements for an answer; 1 declared: .*UPDATE/s,
    ],
  ])('that %s', async (_, does, only, message) => {
    HrClaims.does = does();
    const found = await brokenIn(claimsContract(world, ofHr), only);
    expect(Object.values(found)).toEqual([expect.stringMatching(message)]);
  });

  it.each([/requested by name/, /nothing undeclared/])(
    'and nothing about one that is late once, as on a busy machine: %s',
    async (only) => {
      let calls = 0;
      HrClaims.does = async (right) => {
        calls += 1;
        if (calls === 1) await new Promise((resolve) => setTimeout(resolve, 400));
        return right;
      };
      expect(await brokenIn(claimsContract(world, ofHr), only)).toEqual({});
      expect(calls).toBeGreaterThan(1);
    },
  );

  it('that nobody has loaded', async () => {
    const found = await brokenIn(claimsContract(world, { ...ofHr, scope: 'none' }), /discovery/);
    expect(Object.values(found)).toEqual([
      'No extension of this world fills CLAIMS with a contributor that adds the scope none.',
    ]);
  });

  it('that does not do what the test expects', async () => {
    const found = await brokenIn(claimsContract(world, { ...ofHr, expect: { [GRADE]: 8 } }), /puts them into/);
    expect(Object.values(found)).toEqual([
      expect.stringMatching(/^What HrClaims says in id_token of a user with facts is /),
    ]);
  });
});
