import { writeDocument } from '../document-writer.js';
import { type PeopleSettings, UserNames } from '../people-settings.js';
import { Report } from '../report.js';
import { filesAt } from '../source-file.js';
import { readPasswords } from './passwords.js';
import { usersOf } from './user-file.js';
import { humanOf, metadataOf } from './users.js';

export interface Auth0Source {
  /** Exports of users: an object on each line, or a list; or files for Auth0's own import. */
  readonly users: readonly string[];
  /** Files with the hashes, as Auth0's support sends them. */
  readonly passwords: readonly string[];
  readonly orgId: string;
  readonly orgName: string;
  /** The id of the identity provider here that a connection there is. */
  readonly connections: ReadonlyMap<string, string>;
  readonly people: PeopleSettings;
}

/**
 * An Auth0 export as the document that an import takes: all users in one organization. Hashes are kept in memory, about 200 MB
 * for a million; the users are not.
 * @throws Error for files that cannot be read, or that hold nobody
 */
export async function* convertAuth0(
  { users, passwords, orgId, orgName, connections, people }: Auth0Source,
  report: Report,
): AsyncGenerator<string> {
  const files = await filesAt(users);
  const names = new UserNames(people);
  const beside = {
    passwords: await readPasswords(await filesAt(passwords), report),
    connections,
    names,
    settings: people,
    taken: new Set<string>(),
  };
  /** The second list reads the users again, of whom the first one has reported everything. */
  const again = new Report('');
  yield* writeDocument(
    [
      {
        orgId,
        members: {
          org: { name: orgName },
          domainPolicy: people.namesAtDomain ? { userLoginMustBeDomain: true } : undefined,
        },
        lists: [
          [
            'humanUsers',
            async function* () {
              for await (const user of usersOf(files, orgId, report)) {
                yield humanOf(user, beside, report);
                metadataOf(user, report);
                report.rest(user.source);
              }
              for (const userId of beside.passwords.keys())
                report.lose('Passwords of users that the export does not hold', userId);
            },
          ],
          [
            'userMetadata',
            async function* () {
              for await (const user of usersOf(files, orgId, again)) yield* metadataOf(user, again);
            },
          ],
        ],
      },
    ],
    report,
  );
  if (report.count('humanUsers') === 0) {
    throw new Error(
      'There are no users in these files: give the export of the users, in which each has a user_id, an email, a username or a phone_number.',
    );
  }
  names.checkUsed();
}
