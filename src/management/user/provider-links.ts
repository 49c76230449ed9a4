import { Injectable } from '@nestjs/common';
import type { EventMark } from '../../foundation/event/journal.js';
import { idpLinkingNotAllowed } from '../../idp/idp.errors.js';
import { IdpService } from '../../idp/idp.service.js';
import { IdpLinks } from '../../idp/idp-links.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import type { Actor } from '../../user/permission/actor.js';
import { checkPerson, PersonService } from '../../user/person.service.js';
import { UserMails } from '../../user/user-mails.js';
import { ManagedUsers } from './managed-users.js';

/** A user's account at a provider. */
export interface ProviderAccount {
  readonly idpId: string;
  readonly externalUserId: string;
  readonly displayName: string;
}

/** Accounts at providers that managers link with users, who then sign in there. */
@Injectable()
export class ProviderLinks {
  constructor(
    private readonly managed: ManagedUsers,
    private readonly persons: PersonService,
    private readonly idps: IdpService,
    private readonly links: IdpLinks,
    private readonly instances: InstanceService,
    private readonly mails: UserMails,
  ) {}

  /**
   * Links an account at a provider of the user's organization or of the instance. Whoever has that account can sign in
   * as the user, so that it is a credential which the manager sets; the user is told. An account that was not set up
   * yet is, as that of a newcomer with a provider.
   * @throws DomainError as `ManagedUsers.change`; NotFound `idp.not_found`; AlreadyExists `idp.link_taken`;
   * FailedPrecondition `idp.linking_not_allowed`, `user.not_person`
   */
  async add(actor: Actor, userId: string, account: ProviderAccount): Promise<EventMark> {
    await this.checkProvider(actor.orgId, account.idpId);
    return this.managed.change(actor, userId, async (tx, user) => {
      checkPerson(user);
      const { name, isLinkingAllowed } = await this.links.holdActiveIdp(tx, account.idpId);
      if (!isLinkingAllowed) throw idpLinkingNotAllowed();
      const mark = await this.links.add(tx, { ...account, userId, orgId: user.orgId }, actor.userId);
      await this.mails.tellAccountChanged(tx, user, 'providerLinked', name);
      return (await this.persons.openWithProvider(tx, user, actor.userId)) ?? mark;
    });
  }

  /**
   * The organization's own providers, and those of the instance.
   * @throws DomainError NotFound `idp.not_found`; FailedPrecondition `idp.linking_not_allowed`
   */
  async checkProvider(orgId: string, idpId: string): Promise<void> {
    const { id: instanceId } = await this.instances.get();
    const { isLinkingAllowed } = await this.idps.get([orgId, instanceId], idpId);
    if (!isLinkingAllowed) throw idpLinkingNotAllowed();
  }
}
