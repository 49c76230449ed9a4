import { Injectable } from '@nestjs/common';
import { InstanceService } from '../../org/instance/instance.service.js';
import { clientInactive, clientNotFound } from '../../project/client/client.errors.js';
import { ClientService } from '../../project/client/client.service.js';
import { ClientDirectory } from '../../project/client/client-directory.js';
import { ScopeRules } from '../../token/claims/scope.js';
import type { Actor } from '../../user/permission/actor.js';
import { userNotFound } from '../../user/user.errors.js';
import { UserDirectory } from '../../user/user-directory.js';
import { ApplicationPreviews } from '../project/application-previews.js';
import type { ApplicationPlace } from '../project/applications.js';
import { ClaimLinks } from './claim-links.js';
import { RoleLinks } from './role-links.js';
import { RuleSources } from './rules.js';
import { Sight } from './sight.js';
import type { TokenCase } from './token-case.js';
import { SPOKEN, type TokenExplanation, type TokenLink } from './token-link.js';
import { counted, listed } from './wording.js';

/** What is asked about the tokens of a user; without a claim and a role, everything that would be in them. */
export interface AskedToken {
  readonly userId: string;
  readonly scopes: readonly string[];
  readonly claim: string;
  readonly role: string;
}

/** Explains the tokens that a preview shows: which rule has put each claim and each role there, or why none has. */
@Injectable()
export class TokenExplanations {
  constructor(
    private readonly previews: ApplicationPreviews,
    private readonly instances: InstanceService,
    private readonly directory: UserDirectory,
    private readonly applications: ClientDirectory,
    private readonly clients: ClientService,
    private readonly scopeRules: ScopeRules,
    private readonly rules: RuleSources,
    private readonly claims: ClaimLinks,
    private readonly roles: RoleLinks,
  ) {}

  /** @throws DomainError as `ApplicationPreviews.make` */
  async explain(actor: Actor, place: ApplicationPlace, asked: AskedToken): Promise<TokenExplanation> {
    const preview = await this.previews.make(actor, place, asked.userId, asked.scopes);
    const found = await this.applications.findByEitherId(place.appId);
    if (!found) throw clientNotFound();
    const client = await this.clients.findActiveAnew(found.clientId);
    const user = await this.directory.find(asked.userId);
    if (!client) throw clientInactive();
    if (!user) throw userNotFound();
    const sight = new Sight(actor, (await this.instances.get()).id);
    const given: TokenCase = {
      sight,
      rules: this.rules.for(sight),
      user,
      name: user.displayName === '' ? user.userName : user.displayName,
      client,
      found,
      preview,
      asked: asked.scopes,
      question: await this.scopeRules.roleQuestion(preview.scopes, client),
    };
    const links = await this.linksOf(given, asked);
    return { summary: summaryOf(asked, links), links };
  }

  private async linksOf(given: TokenCase, { claim, role }: AskedToken): Promise<TokenLink[]> {
    if (claim === '' && role === '')
      return [...(await this.claims.present(given)), ...(await this.roles.present(given))];
    return [
      ...(claim === '' ? [] : await this.claims.about(given, claim)),
      ...(role === '' ? [] : await this.roles.about(given, role)),
    ];
  }
}

function summaryOf({ claim, role }: AskedToken, links: readonly TokenLink[]): string {
  if (claim === '' && role === '') {
    const roles = links.filter((one) => one.role !== '').length;
    return `The tokens have ${counted(links.length - roles, 'claim')} and ${counted(roles, 'role')}.`;
  }
  const sentences = [
    ...(claim === ''
      ? []
      : [
          about(
            claim,
            links.filter((one) => one.claim === claim),
          ),
        ]),
    ...(role === ''
      ? []
      : [
          about(
            `The role ${role}`,
            links.filter((one) => one.role === role),
          ),
        ]),
  ];
  return sentences.join(' ');
}

function about(what: string, links: readonly TokenLink[]): string {
  const told = links.find(({ isPresent }) => isPresent);
  const absent = links.find(({ isPresent }) => !isPresent);
  if (!told) return `${what} is in no token. ${absent?.sentence ?? ''}`.trim();
  const where = `${what} is in ${listed(told.tokens.map((token) => SPOKEN[token]))}.`;
  return absent ? `${where} ${absent.sentence}` : where;
}
