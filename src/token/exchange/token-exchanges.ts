import { Injectable } from '@nestjs/common';
import { Clock } from '../../foundation/time/clock.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import type { Client } from '../../project/client/client.js';
import { UserGrantService } from '../../project/user-grant/user-grant.service.js';
import { isUserId } from '../../user/user-id.js';
import {
  type ExchangeFacts,
  NO_CLIENT,
  type SignInOfToken,
  type TokenActor,
  type TokenApplication,
} from '../access-token.js';
import { ScopeRules } from '../claims/scope.js';
import { ALL_PROJECTS, type Subject } from '../claims/subject.js';
import { Urn } from '../claims/urn.js';
import type { Confirmation } from '../proof/presented-token.js';
import { accessOf } from '../removed-access.js';
import { askedBy, type TokenBonds, TokenStatus } from '../token-status.js';
import { ActingUsers, type ActorRefusal } from './acting-users.js';
import { type GivenToken, type GivenTokenKind, GivenTokens } from './given-tokens.js';

/** How often in succession a token may be exchanged: the result names two ids for each token before it. */
const MOST_EXCHANGES = 3;
/** How long a chain of actors may be, each of whom acts for the one before (RFC 8693 §4.1). */
const MOST_ACTORS = 3;

/** What a client sends. */
export interface ExchangeQuestion {
  readonly client: Client;
  readonly subjectToken: string;
  /** `user_id`: the id of the user in place of a token, which only somebody who acts for them can send. */
  readonly subjectKind: GivenTokenKind | 'user_id';
  readonly actor?: { readonly token: string; readonly kind: GivenTokenKind } | undefined;
}

/** The most that a client can get for what it has sent. */
export interface PossibleExchange {
  readonly subject: Subject;
  readonly familyId: string | undefined;
  readonly sessionId: string | undefined;
  readonly signIn: SignInOfToken | undefined;
  /** The audience, never with the administrative API. */
  readonly audience: readonly string[];
  readonly scopes: readonly string[];
  /** Unix seconds. */
  readonly notAfter: number;
  /** The keys and certificates to which the sent tokens are bound. */
  readonly confirmations: readonly Confirmation[];
  /** The facts that say with what the resulting token ends. */
  readonly exchange: ExchangeFacts;
  /** Who acts for the user from now on, if this request names somebody. */
  readonly actor: TokenActor | undefined;
}

export type ExchangeRefusal =
  | ActorRefusal
  | 'unknown'
  | 'exchanged_too_often'
  | 'too_many_actors'
  | 'not_admitted'
  | 'switched_off';

/** `actorId`: who tried to act for another user, if their token is known. */
type Refused = { readonly refusal: ExchangeRefusal; readonly actorId?: string };

/**
 * Tokens of ours that are exchanged for others, by the user of the token or by another one who acts for them (RFC
 * 8693).
 */
@Injectable()
export class TokenExchanges {
  constructor(
    private readonly given: GivenTokens,
    private readonly acting: ActingUsers,
    private readonly status: TokenStatus,
    private readonly scopeRules: ScopeRules,
    private readonly instances: InstanceService,
    private readonly userGrants: UserGrantService,
    private readonly urn: Urn,
    private readonly clock: Clock,
  ) {}

  async find(question: ExchangeQuestion): Promise<PossibleExchange | Refused> {
    const { client, subjectToken, subjectKind, actor } = question;
    const isOff = !(await this.instances.get()).enableImpersonation;
    // Before anybody is looked up (TEX-006).
    if (isOff && (actor || subjectKind === 'user_id')) return { refusal: 'switched_off' };
    const token = subjectKind === 'user_id' ? undefined : await this.given.read(subjectToken, subjectKind, client);
    if (subjectKind === 'user_id' ? !isUserId(subjectToken) : !token) return { refusal: 'unknown' };
    const before = token?.exchange?.actors ?? [];
    if (isOff && before.length > 0) return { refusal: 'unknown' };
    if ((token?.exchange?.origins.length ?? 0) > 2 * (MOST_EXCHANGES - 1)) return { refusal: 'exchanged_too_often' };
    const bonds = this.bondsOf(token, subjectToken, client);
    const found = actor && (await this.findActor(question, token, bonds.userId));
    if (found && 'refusal' in found) return found;
    if (found && before.length >= MOST_ACTORS) return { refusal: 'too_many_actors' };
    const given = [token, found?.token].filter((one) => one !== undefined);
    const limits = await this.limitsOf(given, client);
    const subject = await this.status.findBound(bonds, {
      projectIds: client.assertsRoles ? ALL_PROJECTS : undefined,
      ...askedBy(limits.scopes, this.urn),
    });
    if (!subject) return { refusal: 'unknown' };
    if (!(await this.isAdmitted(subject, client))) return { refusal: 'not_admitted' };
    const actors = [...(found ? [found.actor] : []), ...before];
    return {
      ...limits,
      subject,
      familyId: token?.familyId,
      sessionId: bonds.sessionId,
      // The one who signed in is not the one who acts.
      signIn: actors.length > 0 ? undefined : token?.signIn,
      exchange: {
        origins: [...(token?.exchange?.origins ?? []), ...(token?.endIds ?? [])],
        since: bonds.issuedAt,
        actors,
        applications: applicationsOf(given),
      },
      actor: found?.actor,
    };
  }

  /** Access that the user has removed from this client is not regained with a token from before (TEX-010). */
  private bondsOf(token: GivenToken | undefined, userId: string, client: Client): TokenBonds {
    if (token) {
      const access = accessOf({ userId: token.bonds.userId, clientId: client.id });
      return { ...token.bonds, endIds: [...token.bonds.endIds, access] };
    }
    return {
      userId,
      userEpoch: undefined,
      clientId: client.id,
      clientEpoch: client.clientEpoch,
      sessionId: undefined,
      endIds: [],
      issuedAt: this.clock.nowSeconds(),
      actors: undefined,
      applications: undefined,
    };
  }

  private async findActor(
    { actor, client }: ExchangeQuestion,
    subject: GivenToken | undefined,
    subjectId: string,
  ): Promise<{ readonly actor: TokenActor; readonly token: GivenToken } | Refused> {
    const token = actor && (await this.given.read(actor.token, actor.kind, client));
    if (!token) return { refusal: 'actor_unknown' };
    const found = await this.acting.find(token, subjectId, subject?.mayAct);
    return 'refusal' in found ? found : { actor: found, token };
  }

  /** Within what every token is for, what the client may have, and without the administrative API. */
  private async limitsOf(
    tokens: readonly GivenToken[],
    client: Client,
  ): Promise<Pick<PossibleExchange, 'audience' | 'scopes' | 'notAfter' | 'confirmations'>> {
    const { systemProjectId } = await this.instances.get();
    const scopes = await this.scopeRules.grantToClient(inAll(tokens.map((one) => one.scopes)), client, false);
    return {
      audience: inAll(tokens.map(({ audience }) => audience)).filter((id) => id !== systemProjectId),
      scopes: scopes.filter((scope) => {
        const named = this.urn.audienceOf(scope);
        return named !== this.urn.systemWord && named !== systemProjectId;
      }),
      notAfter: Math.min(...tokens.map(({ expiresAt }) => expiresAt)),
      confirmations: tokens.flatMap(({ confirmation }) => confirmation ?? []),
    };
  }

  /** Whether the project still admits the user; the rules are those of the authorization endpoint. */
  private async isAdmitted({ userId, orgId }: Subject, client: Client): Promise<boolean> {
    if (!client.admits(orgId)) return false;
    return !client.project.projectRoleCheck || this.userGrants.holdsRole(userId, client.project.id);
  }
}

/** The applications of the tokens, each once; a service user with a token for itself is none. */
function applicationsOf(given: readonly GivenToken[]): readonly TokenApplication[] {
  const all = given.flatMap(({ bonds }) => [...(bonds.applications ?? []), bonds]);
  const named = all.filter(({ clientEpoch }) => clientEpoch !== NO_CLIENT);
  return [
    ...new Map(
      named.map(({ clientId, clientEpoch }) => [`${clientId} ${clientEpoch}`, { clientId, clientEpoch }]),
    ).values(),
  ];
}

function inAll([first = [], ...others]: ReadonlyArray<readonly string[]>): readonly string[] {
  return first.filter((one) => others.every((list) => list.includes(one)));
}
