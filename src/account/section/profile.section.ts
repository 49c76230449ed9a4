import { Injectable } from '@nestjs/common';
import type { Form } from '../../foundation/http/form.js';
import { paths } from '../../org/instance/paths.js';
import { type AccountProfileField, accountProfileFields } from '../../page/account/account-profile.page.js';
import type { FormError } from '../../page/part/form-error.js';
import type { LoginPage } from '../../page/render.js';
import { SessionChanges } from '../../session/session-changes.js';
import { PersonService } from '../../user/person.service.js';
import { MAX_CHARACTERS, type Profile, profileViolations } from '../../user/profile.js';
import { GENDER } from '../../user/user.enums.js';
import { UserService } from '../../user/user.service.js';
import { UserDirectory } from '../../user/user-directory.js';
import type { SignedInVisit } from '../../visit/signed-in-visit.js';
import type { AccountSection, Opened, SectionOutcome } from '../account-section.js';

/** Name, language and the like. */
@Injectable()
export class ProfileSection implements AccountSection<AccountProfileField> {
  readonly name = 'profile';
  readonly path = paths.accountProfile;
  readonly kept = accountProfileFields;

  constructor(
    private readonly changes: SessionChanges,
    private readonly users: UserService,
    private readonly people: PersonService,
    private readonly directory: UserDirectory,
  ) {}

  async isOpen({ selfService }: SignedInVisit): Promise<boolean> {
    return selfService.editProfile;
  }

  async page(
    visit: SignedInVisit,
    { frame, typed, form }: Opened,
    errors?: readonly FormError<AccountProfileField>[],
  ): Promise<LoginPage> {
    const user = await this.directory.get(visit.session.orgId, visit.session.userId);
    const stored = {
      firstName: user.firstName,
      lastName: user.lastName,
      nickName: user.nickName,
      displayName: user.displayName,
      language: user.preferredLanguage,
      gender: user.gender,
    };
    const sent = form && Object.fromEntries(accountProfileFields.map((name) => [name, form.find(name) ?? '']));
    const target = visit.formTo(this.path);
    return { page: 'accountProfile', frame, target, values: { ...stored, ...typed, ...sent }, errors };
  }

  async submit(visit: SignedInVisit, form: Form): Promise<SectionOutcome<AccountProfileField>> {
    const text = (name: AccountProfileField): string => (form.find(name) ?? '').trim();
    const gender = GENDER.members.find(({ value }) => value === text('gender'))?.value;
    if (gender === undefined) return { kind: 'again', errors: [{ reason: 'formStale' }] };
    const profile = {
      firstName: text('firstName'),
      lastName: text('lastName'),
      nickName: text('nickName'),
      displayName: text('displayName'),
      preferredLanguage: text('language'),
      gender,
    };
    const errors = problemsOf(profile);
    if (errors.length > 0) return { kind: 'again', errors };
    const { userId, orgId } = visit.session;
    await this.changes.make(visit, async (tx) => {
      const user = await this.users.getOf(tx, orgId, userId);
      await this.people.changeProfile(tx, user, profile, userId);
    });
    return { kind: 'done', what: 'profile' };
  }
}

type TypedProfile = Pick<
  Profile,
  'firstName' | 'lastName' | 'nickName' | 'displayName' | 'preferredLanguage' | 'gender'
>;

const NAMES = ['firstName', 'lastName', 'nickName', 'displayName'] as const;

function problemsOf(profile: TypedProfile): FormError<AccountProfileField>[] {
  const errors: FormError<AccountProfileField>[] = [];
  if (profile.firstName === '') errors.push({ field: 'firstName', reason: 'firstNameMissing' });
  if (profile.lastName === '') errors.push({ field: 'lastName', reason: 'lastNameMissing' });
  for (const { field } of profileViolations(profile, '')) {
    const name = NAMES.find((each) => each === field);
    if (name === undefined) errors.push({ reason: 'formStale' });
    else if ([...profile[name]].length > MAX_CHARACTERS)
      errors.push({ field: name, reason: 'valueTooLong', count: MAX_CHARACTERS });
    else if (profile[name] !== '') errors.push({ field: name, reason: 'valueInvalid' });
  }
  return errors;
}
