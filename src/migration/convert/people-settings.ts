import type { Report } from './report.js';

/** What the first administrator of an instance is called unless FIRST_ADMIN_USERNAME says otherwise. */
const FIRST_ADMINISTRATOR = 'admin';

/** What was decided for the people of a conversion. */
export interface PeopleSettings {
  /** New user names by the old ones. */
  readonly renames: ReadonlyMap<string, string>;
  /** User names are those of the organization alone: people type them with its domain. */
  readonly namesAtDomain: boolean;
  /** People with an e-mail address that was never verified prove it before they can sign in. */
  readonly mustProveEmail: boolean;
  /** What checking a password may cost where they come to: IMPORTED_HASH_MS there. */
  readonly importedHashMs: number;
}

export const USUAL_PEOPLE: PeopleSettings = {
  renames: new Map(),
  namesAtDomain: false,
  mustProveEmail: false,
  importedHashMs: 300,
};

/** The user names of a conversion. */
export class UserNames {
  private readonly renames: ReadonlyMap<string, string>;
  private readonly used = new Set<string>();

  constructor(private readonly settings: PeopleSettings) {
    this.renames = new Map([...settings.renames].map(([from, to]) => [from.toLowerCase(), to]));
  }

  /** The name here of the user who had that name there. */
  nameOf(userName: string, report: Report): string {
    const key = userName.toLowerCase();
    const renamed = this.renames.get(key);
    if (renamed !== undefined) {
      this.used.add(key);
      report.note('Users who were renamed, as --rename asks', `${userName} ${renamed}`);
      return renamed;
    }
    if (key === FIRST_ADMINISTRATOR && !this.settings.namesAtDomain) {
      report.note(
        'Users with the usual name of the first administrator: an instance that has one refuses them. Start it with ' +
          'FIRST_ADMIN_USERNAME=gatehouse-admin, or convert with --rename or --user-names at-domain',
        userName,
      );
    }
    return userName;
  }

  /** Once all people are converted. @throws Error when a name was to be changed that no user has */
  checkUsed(): void {
    const unknown = [...this.settings.renames.keys()].filter((name) => !this.used.has(name.toLowerCase()));
    if (unknown.length > 0) throw new Error(`There is no user ${unknown.join(', ')} in these files: look at --rename.`);
  }
}
