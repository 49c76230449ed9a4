import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  findDouble,
  hasDoubleIn,
  isApplication,
  isApplicationIn,
  isServiceUser,
  isServiceUserIn,
} from '../../src/user/client-ids.js';
import {
  domainIn,
  extendsName,
  isAtDomainIn,
  localKeyIn,
  parseLoginName,
  toNameKey,
} from '../../src/user/user-name.js';
import { startWorld, type World } from '../support/world.js';

/*
 * The rules of names stand twice: in TypeScript for one name, and in SQL for all names of a document. Both are asked
 * about the same names.
 */

let world: World;

/** Parts of which names are made: letters of several cases, widths and forms, and the signs that split a name. */
const PIECES = [
  'a',
  'B',
  'ß',
  'Ａ',
  'é',
  'e\u0301',
  'İ',
  '@',
  '@',
  '.',
  '-',
  '_',
  '%',
  'bücher',
  'xn--bcher-kva',
  '名',
];

/** The same names each time, so that what fails once fails again. */
function* namesOf(count: number): Generator<string> {
  let state = 20_260_101;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  for (let at = 0; at < count; at += 1)
    yield Array.from({ length: 1 + next(6) }, () => PIECES[next(PIECES.length)]!).join('');
}

const NAMES = [...new Set([...namesOf(600), '@a', 'a@', '@', 'a@b@c', 'anna@bücher.example', 'ANNA@BÜCHER.example'])];

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

it('split a normalized name alike', async () => {
  const keys = [...new Set(NAMES.map(toNameKey))];
  const found = await world.rows<{ key: string; local: string | null; domain: string; is_at_domain: boolean }>(
    `SELECT key, ${localKeyIn('key')} AS local, ${domainIn('key')} AS domain, ${isAtDomainIn('key')} AS is_at_domain
     FROM unnest($1::text[]) AS k (key)`,
    [keys],
  );
  expect(found).toHaveLength(keys.length);
  for (const { key, local, domain, is_at_domain: isAtDomain } of found) {
    const { localKey, domain: wanted } = parseLoginName(key);
    expect([key, local ?? '', isAtDomain]).toEqual([key, localKey, localKey !== '']);
    // A name that ends with an @ is at an empty domain, which does not exist.
    if (localKey !== '') expect([key, domain]).toEqual([key, wanted]);
  }
});

it('find the names that continue another one after an @ alike', async () => {
  const keys = [...new Set(NAMES.map(toNameKey))].slice(0, 150);
  const found = await world.rows<{ longer: string; name: string }>(
    `SELECT l.key AS longer, n.key AS name
     FROM unnest($1::text[]) AS l (key), unnest($1::text[]) AS n (key)
     WHERE ${extendsName('l.key COLLATE "C"', 'n.key')}`,
    [keys],
  );
  // The range ends with what follows an @ in byte order, so it holds all names that go on after the @.
  const wanted = keys.flatMap((longer) =>
    keys.filter((name) => longer.startsWith(`${name}@`) && longer !== `${name}@`).map((name) => `${longer} ${name}`),
  );
  expect(found.map(({ longer, name }) => `${longer} ${name}`).sort()).toEqual(wanted.sort());
});

it('find the applications and service users of a name alike', async () => {
  const { id: orgId } = await world.add.org();
  const projectId = await world.add.project({ orgId });
  const taken = ['Ａlpha', 'ALPHA', 'beta@bücher.example', 'Gamma', 'e\u0301psilon'];
  const service = await Promise.all(
    taken.map((userName, at) => world.add.service({ orgId, userName: `${userName}${at}` })),
  );
  const clients = [await world.add.client({ projectId }), await world.add.client({ projectId })];
  const asked = [
    ...service.flatMap(({ id, userName }) => [id, userName, userName.toUpperCase(), userName.normalize('NFKC')]),
    ...clients.flatMap(({ id, clientId }) => [id, clientId]),
    ...NAMES.slice(0, 40),
  ];
  for (const name of asked) {
    const key = toNameKey(name);
    const [inSql] = await world.rows<{ service: boolean; app: boolean; double: boolean }>(
      `SELECT
         ${isServiceUserIn('user_account', 'n.name', 'n.key')} AS service,
         ${isApplicationIn('client', 'n.name')} AS app,
         ${hasDoubleIn('user_account', { id: `'another'`, idKey: `'another'`, name: 'n.name' })}
           OR ${hasDoubleIn('user_account', { id: 'n.name', idKey: 'n.key', name: `'another'` })} AS double
       FROM (SELECT $1::text AS name, $2::text AS key) n`,
      [name, key],
    );
    const inTypeScript = await world.transaction(async (tx) => ({
      service: await isServiceUser(tx, [name]),
      app: await isApplication(tx, [name]),
      double:
        (await findDouble(tx, { id: 'another', userName: name })) !== undefined ||
        (await findDouble(tx, { id: name, userName: 'another' })) !== undefined,
    }));
    expect([name, inSql]).toEqual([name, inTypeScript]);
  }
});
