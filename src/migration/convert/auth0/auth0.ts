import { writeDocument } from '../document-writer.js';
import { type PeopleSettings, UserNames } from '../people-settings.js';
import { Report } from '../report.js';
import { filesAt } from '../source-file.js';
import { readPasswords } from './passwords.js';
import { usersOf } from './user-file.js';
import { humanOf, metadataOf } from './users.js';

export interface Auth0Source {
  /** Exports of users (one object per line, or a list), or files for Auth0's own import. */
  readonly users: readonly string[];
  /** Files with password hashes, as Auth0's support sends them. */
  readonly passwords: readonly string[];
  readonly orgId: string;
  readonly orgName: string;
  /** The id of our identity provider for each Auth0 connection. */
  readonly connections: ReadonlyMap<string, string>;
  readonly people: PeopleSettings;
}

/**
 * Converts an Auth0 export into a document to import, with all users in one organization. Keeps the hashes in memory
 * (about 200 MB per million), but not the users.
 * @throws Error for files that cannot be read or contain no user
 */
export async function* convertAuth0(
  { users, passwords, orgId, orgName, connections, people }: Auth0Source,
  report: Report,
): AsyncGenerator<string> {
  const files = await filesAt(users);
  const names = new UserNames(people);
  const context = {
    passwords: await readPasswords(await filesAt(passwords), report),
    connections,
    names,
    settings: people,
    taken: new Set<string>(),
  };
  /** The second list reads the users again; the first pass has already reported everything about them. */
  const again = new Report('');
  yield* writeDocument(
    [
      {
        about: { orgId, org: { name: orgName } },
        policies: { domainPolicy: people.namesAtDomain ? { userLoginMustBeDomain: true } : undefined },
        shortLists: {},
        longLists: [
          [
            'humanUsers',
            async function* () {
              for await (const user of usersOf(files, orgId, report)) {
                yield humanOf(user, context, report);
                metadataOf(user, report);
                report.rest(user.source);
              }
              for (const userId of context.passwords.keys())
                report.lose('Passwords of users who are missing from the export', userId);
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
