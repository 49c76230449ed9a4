import type { Report } from './report.js';

/** User name of an instance's first administrator unless FIRST_ADMIN_USERNAME is set. */
const FIRST_ADMINISTRATOR = 'admin';

/** The operator's choices for the users of a conversion. */
export interface PeopleSettings {
  /** New user names by the old ones. */
  readonly renames: ReadonlyMap<string, string>;
  /** User names are unique within the organization only, and typed with its domain. */
  readonly namesAtDomain: boolean;
  /** Users whose e-mail address was never verified must verify it before they can sign in. */
  readonly mustProveEmail: boolean;
  /** The time that verifying one password may take: IMPORTED_HASH_MS of the target instance. */
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

  /** The new name of the user who had that name before. */
  nameOf(userName: string, report: Report): string {
    const key = userName.toLowerCase();
    const renamed = this.renames.get(key);
    if (renamed !== undefined) {
      this.used.add(key);
      report.note('Users renamed by --rename', `${userName} ${renamed}`);
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

  /** Called after all users. @throws Error when a rename names a user that does not exist */
  checkUsed(): void {
    const unknown = [...this.settings.renames.keys()].filter((name) => !this.used.has(name.toLowerCase()));
    if (unknown.length > 0) throw new Error(`There is no user ${unknown.join(', ')} in these files: look at --rename.`);
  }
}
