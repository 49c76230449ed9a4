import { Injectable } from '@nestjs/common';
import { randomCode } from '../../foundation/crypto/random.js';
import { Database, type Transaction } from '../../foundation/database/database.js';
import { DomainError } from '../../foundation/error/domain-error.js';
import { SYSTEM } from '../../foundation/event/journal.js';
import { isLanguageTag } from '../../foundation/language/language-tag.js';
import { displayNameAt, type ExternalIdentity, personNameOf, userNamesFor } from '../../idp/external-identity.js';
import type { Idp } from '../../idp/idp.entity.js';
import { IdpLinks } from '../../idp/idp-links.js';
import { parseEmail } from '../../org/email-address.js';
import { OrgService } from '../../org/org.service.js';
import { PolicyService } from '../../org/policy/policy.service.js';
import { AddressOwners } from '../../user/address-owners.js';
import { isUserName, MAX_CHARACTERS } from '../../user/new-human.js';
import { PersonService } from '../../user/person.service.js';
import { toPhoneNumber } from '../../user/phone-number.js';
import { UserService } from '../../user/user.service.js';
import { Registration } from '../registration.js';
import { USER_NAME } from '../registration-entry.js';
import type { Visit } from '../visit.js';
import { ExternalProviders } from './external-providers.js';

const NUMBERED = [2, 3, 4, 5, 6, 7, 8, 9];
const RANDOM_CHARACTERS = 6;
/** A name may be taken between look-up and insert. */
const MAX_TRIES = 3;

/** Creates accounts for users whom a provider has authenticated and who have no account here. */
@Injectable()
export class ExternalRegistration {
  constructor(
    private readonly policies: PolicyService,
    private readonly registration: Registration,
    private readonly orgs: OrgService,
    private readonly users: UserService,
    private readonly addresses: AddressOwners,
    private readonly providers: ExternalProviders,
    private readonly persons: PersonService,
    private readonly links: IdpLinks,
    private readonly database: Database,
  ) {}

  /**
   * Creates an account from what the provider says and links it. False if it has no e-mail address, or one of a domain
   * that belongs to another organization (LOG-047), or that a user of this organization has, who is asked whether to
   * link that account: two with one address are never what somebody wants. Only if the provider has verified the
   * address, since the question reveals that account. Whether the provider registers users is a setting of the
   * provider; whether users may register by a form does not matter (IDP-033). Never joins an existing account with the
   * same address or name (IDP-027, IDP-031).
   */
  async register(visit: Visit, idp: Idp, identity: ExternalIdentity): Promise<boolean> {
    const email = parseEmail(identity.email ?? '');
    if (email === undefined) return false;
    if (!(await this.orgs.findActive(visit.orgId))) return false;
    if (await this.registration.belongsElsewhere(email, { id: visit.orgId })) return false;
    if (await this.hasAccountToLink(visit, identity)) return false;
    for (let tries = 1; ; tries += 1) {
      try {
        await this.database.transaction((tx) => this.add(tx, visit, idp, { ...identity, email }));
        return true;
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        if (error.reason === 'idp.link_taken') return true; // By the same user, in another window.
        if (error.reason !== 'user.name_taken' || tries >= MAX_TRIES) throw error;
      }
    }
  }

  /**
   * Whether a user of the organization has the address that the provider has verified, and can sign in to link the two.
   */
  async hasAccountToLink(visit: Visit, { email, emailVerified }: ExternalIdentity): Promise<boolean> {
    if (email === undefined || !emailVerified || !(await this.providers.allowsPasswords(visit))) return false;
    return this.addresses.signsInAt(visit.orgId, email);
  }

  private async add(
    tx: Transaction,
    visit: Visit,
    idp: Idp,
    identity: ExternalIdentity & { email: string },
  ): Promise<void> {
    await this.links.holdActiveIdp(tx, idp.id);
    const { orgId } = visit;
    const { email, emailVerified, phone: typedPhone = '', phoneVerified, subject, locale, nickName } = identity;
    const userName = await this.findName(tx, identity, idp, orgId);
    const phone = toPhoneNumber(typedPhone);
    const { id: userId } = await this.persons.add(
      tx,
      {
        orgId,
        userName,
        email,
        emailVerified,
        hasProvider: true,
        profile: {
          ...personNameOf(identity, idp, userName),
          ...(nickName === undefined ? {} : { nickName }),
          preferredLanguage: locale !== undefined && isLanguageTag(locale) ? locale : visit.setting.language,
        },
        ...(phone === undefined || phone === '' ? {} : { phone, phoneVerified }),
      },
      SYSTEM,
    );
    await this.links.add(
      tx,
      { idpId: idp.id, externalUserId: subject, displayName: displayNameAt(identity, idp), userId, orgId },
      SYSTEM,
    );
  }

  /**
   * The first name that is free and not reserved for another organization, if necessary with a number or random
   * characters appended.
   */
  private async findName(
    tx: Transaction,
    identity: ExternalIdentity & { email: string },
    idp: Idp,
    orgId: string,
  ): Promise<string> {
    const names: string[] = [];
    for (const name of userNamesFor(identity, idp))
      names.push(...((await this.isSaidTwice(name, orgId)) ? [] : [name]), localPart(name));
    const candidates = names.filter(isFit);
    const [best = [localPart(identity.email)].find(isFit) ?? 'user'] = candidates;
    const stem = [...localPart(best)].slice(0, MAX_CHARACTERS - RANDOM_CHARACTERS - 1).join('');
    for (const name of [...candidates, stem, ...NUMBERED.map((number) => `${stem}-${number}`)]) {
      if (await this.isFree(tx, name, orgId)) return name;
    }
    return `${stem}-${randomCode(RANDOM_CHARACTERS).toLowerCase()}`;
  }

  /** Whether a login name would contain its domain twice: it ends with the organization's domain, which is added. */
  private async isSaidTwice(name: string, orgId: string): Promise<boolean> {
    const at = name.lastIndexOf('@');
    if (at <= 0 || !(await this.policies.effective('domain', orgId)).userLoginMustBeDomain) return false;
    return (await this.orgs.findHolder(name.slice(at + 1)))?.id === orgId;
  }

  private async isFree(tx: Transaction, userName: string, orgId: string): Promise<boolean> {
    if (await this.registration.belongsElsewhere(userName, { id: orgId })) return false;
    return !(await this.users.isNameTaken(tx, { kind: 'human', orgId, userName }));
  }
}

function isFit(name: string): boolean {
  return isUserName(name) && USER_NAME.test(name);
}

function localPart(name: string): string {
  const at = name.lastIndexOf('@');
  return at > 0 ? name.slice(0, at) : name;
}
