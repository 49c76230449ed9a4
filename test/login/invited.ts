import { Secret } from '../../src/foundation/config/secret.js';
import { PasswordHash } from '../../src/foundation/password/password-hash.js';
import { PersonService } from '../../src/user/person.service.js';
import { EDITOR, uniqueName } from '../support/builders.js';
import { lastMailTo, linkIn } from '../support/mails.js';
import type { World } from '../support/world.js';

export interface Invited {
  readonly id: string;
  readonly orgId: string;
  readonly userName: string;
  readonly email: string;
}

/** Somebody whose account an administrator has made, and who is sent what they need. */
export async function invite(
  world: World,
  orgId: string,
  over: { password?: string; emailVerified?: boolean } = {},
): Promise<Invited> {
  const userName = uniqueName('invited');
  const email = `${userName}@mail.test`;
  const { password, emailVerified = false } = over;
  const passwordHash = password === undefined ? undefined : await world.get(PasswordHash).hash(new Secret(password));
  const { id } = await world.transaction((tx) =>
    world.get(PersonService).add(
      tx,
      {
        orgId,
        userName,
        email,
        emailVerified,
        profile: { firstName: 'Ilse', lastName: 'Brandt' },
        ...(passwordHash === undefined ? {} : { passwordHash }),
      },
      EDITOR,
    ),
  );
  return { id, orgId, userName, email };
}

/** Path and query of the link in the newest mail to an address; each parameter may be replaced, or left out. */
export async function linkTo(
  world: World,
  email: string,
  over: Readonly<Record<string, string | undefined>> = {},
): Promise<string> {
  const link = linkIn(await lastMailTo(world, email));
  const code = link.searchParams.get('code');
  if (code !== null) world.plant(`code=${code}`);
  for (const [name, value] of Object.entries(over)) {
    if (value === undefined) link.searchParams.delete(name);
    else link.searchParams.set(name, value);
  }
  return `${link.pathname}${link.search}`;
}

/** What the database knows of a person. */
export async function personRow(world: World, id: string): Promise<Record<string, unknown>> {
  const [row] = await world.rows<Record<string, unknown>>('SELECT * FROM user_account WHERE id = $1', [id]);
  if (!row) throw new Error(`There is no user ${id}.`);
  return row;
}
