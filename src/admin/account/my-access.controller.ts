import { Controller, Delete, Get, Post } from '@nestjs/common';
import { EventReader } from '../../foundation/event/event-reader.js';
import { Clock } from '../../foundation/time/clock.js';
import { secondFactorMissing, signInTooOld } from '../../management/user/my-account.errors.js';
import { MyAccount } from '../../management/user/my-account.js';
import { MyRemoval } from '../../management/user/my-removal.js';
import { UserSessions } from '../../session/user-sessions.js';
import { refreshTokenNotFound } from '../../token/token.errors.js';
import { TokenEnds } from '../../token/token-ends.js';
import { UserRefreshTokens } from '../../token/user-refresh-tokens.js';
import { type Actor, checkMayChangeOwnSignIn } from '../../user/permission/actor.js';
import { applicationNotTrusted, lastOrgOwner, lastOwner } from '../../user/permission/permission.errors.js';
import { metadataNotFound, selfServiceClosed } from '../../user/user.errors.js';
import { UserMetadataService } from '../../user/user-metadata.service.js';
import { typeSentence } from '../event/event-sentence.js';
import { Asking } from '../kit/guard/asking.js';
import { AUTHENTICATED } from '../kit/guard/demand.js';
import { Requires } from '../kit/guard/requires.js';
import { Operation } from '../kit/operation.js';
import { DetailsResponse, toChangedDetails, toDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { toListDetails, toRange, toWholeListDetails } from '../kit/wire/list.dto.js';
import { Message } from '../kit/wire/message.js';
import { toMetadataEntry } from '../user/user-metadata.controller.js';
import { ListUserMetadataResponse, UserMetadataResponse } from '../user/user-metadata.dto.js';
import {
  ListMyMetadataRequest,
  ListMyRefreshTokensResponse,
  ListMyUserChangesRequest,
  ListMyUserChangesResponse,
  ListMyUserSessionsResponse,
  MyMetadataByKey,
  RemoveMyUserResponse,
  RevokeAllMyRefreshTokensResponse,
  RevokeMyRefreshTokenRequest,
} from './my-account.dto.js';
import { OWN_REFUSALS } from './my-refusals.js';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;
const MAX_SEQUENCE = 9_223_372_036_854_775_807n;

/** Where the caller is signed in, what happened to the account, and its end. */
@Tagged('My account')
@Controller('auth/v1/users/me')
export class MyAccessController {
  constructor(
    private readonly account: MyAccount,
    private readonly removal: MyRemoval,
    private readonly sessions: UserSessions,
    private readonly refreshTokens: UserRefreshTokens,
    private readonly ends: TokenEnds,
    private readonly metadata: UserMetadataService,
    private readonly events: EventReader,
    private readonly clock: Clock,
  ) {}

  @Delete()
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'RemoveMyUser',
    summary: "Remove the caller's account",
    description:
      'Only where the self-service policy allows it. The account is closed at once; it is removed when the time of the policy has passed, and can be taken back by the link of a mail until then.',
    returns: RemoveMyUserResponse,
    refuses: [
      ...OWN_REFUSALS,
      selfServiceClosed('deleteAccount'),
      signInTooOld(),
      secondFactorMissing(),
      lastOwner(),
      lastOrgOwner('Acme'),
    ],
  })
  async remove(@Asking() actor: Actor): Promise<RemoveMyUserResponse> {
    const { mark, dueAt } = await this.account.changeProved(actor, 'deleteAccount', (tx, user) =>
      this.removal.close(tx, user),
    );
    return { details: toChangedDetails(mark, actor.ownOrgId), removalDate: dueAt };
  }

  @Post('changes/_search')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'ListMyUserChanges',
    summary: "List what happened to the caller's account",
    description: 'From the journal, without what was changed; administrators are not named.',
    request: ListMyUserChangesRequest,
    returns: ListMyUserChangesResponse,
    refuses: OWN_REFUSALS,
  })
  async listChanges(
    @Asking() actor: Actor,
    @Message() { query }: ListMyUserChangesRequest,
  ): Promise<ListMyUserChangesResponse> {
    const { displayName } = await this.account.read(actor);
    const { sequence = 0n, limit = 0, asc = false } = query ?? {};
    const found = await this.events.search({
      aggregateTypes: ['user'],
      aggregateId: actor.userId,
      types: [],
      editorId: '',
      orgId: '',
      ascending: asc,
      limit: limit === 0 ? DEFAULT_LIMIT : Math.min(limit, MAX_LIMIT),
      ...(sequence === 0n ? {} : { fromSequence: sequence > MAX_SEQUENCE ? MAX_SEQUENCE : sequence }),
    });
    return {
      result: found.map((entry) => {
        const isOwn = entry.editorId === actor.userId;
        return {
          changeDate: entry.createdAt,
          eventType: { key: entry.type, localizedMessage: typeSentence(entry.type) },
          sequence: entry.sequence,
          editorId: isOwn ? entry.editorId : '',
          editorDisplayName: isOwn ? displayName : '',
          resourceOwnerId: entry.orgId,
        };
      }),
    };
  }

  @Post('sessions/_search')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'ListMyUserSessions',
    summary: 'List where the caller is signed in',
    description: 'The 100 latest sessions, the latest first.',
    returns: ListMyUserSessionsResponse,
    refuses: OWN_REFUSALS,
  })
  async listSessions(@Asking() actor: Actor): Promise<ListMyUserSessionsResponse> {
    const { userName, preferredLoginName, displayName, orgId } = await this.account.read(actor);
    const found = await this.sessions.onDevices(actor.userId);
    return {
      result: found.map(({ id, agent, system, createdAt, lastAt }) => ({
        sessionId: id,
        agentId: [agent, system].filter((word) => word !== '').join(' · '),
        authState: 'active',
        userId: actor.userId,
        userName,
        loginName: preferredLoginName,
        displayName,
        details: toDetails({ sequence: 0n, creationDate: createdAt, changeDate: lastAt }, orgId),
      })),
    };
  }

  @Post('tokens/refresh/_search')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'ListMyRefreshTokens',
    summary: 'List the refresh tokens of the caller',
    description: 'Returns the complete list, the newest first.',
    returns: ListMyRefreshTokensResponse,
    refuses: OWN_REFUSALS,
  })
  async listRefreshTokens(@Asking() actor: Actor): Promise<ListMyRefreshTokensResponse> {
    const { orgId } = await this.account.read(actor);
    const found = await this.refreshTokens.of(actor.userId);
    return {
      details: toWholeListDetails(found.length, this.clock.now()),
      result: found.map(
        ({ id, clientId, scopes, resources, authTime, createdAt, spentAt, idleExpiresAt, expiresAt }) => ({
          id,
          details: toDetails({ sequence: 0n, creationDate: createdAt, changeDate: spentAt }, orgId),
          clientId,
          authTime,
          idleExpiration: idleExpiresAt,
          expiration: expiresAt,
          scopes,
          audience: resources,
        }),
      ),
    };
  }

  @Delete('tokens/refresh/:id')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'RevokeMyRefreshToken',
    summary: 'Revoke a refresh token of the caller, and the access tokens that came from it',
    request: RevokeMyRefreshTokenRequest,
    returns: DetailsResponse,
    refuses: [...OWN_REFUSALS, applicationNotTrusted(), refreshTokenNotFound()],
  })
  async revoke(@Asking() actor: Actor, @Message() { id }: RevokeMyRefreshTokenRequest): Promise<DetailsResponse> {
    const entry = await this.account.read(actor);
    checkMayChangeOwnSignIn(actor);
    const isOwn = (await this.refreshTokens.of(actor.userId)).some((each) => each.id === id);
    if (!isOwn) throw refreshTokenNotFound();
    await this.ends.endFamily(id, 'revoked', actor.userId);
    return { details: toDetails(entry, entry.orgId) };
  }

  @Post('tokens/refresh/_revoke_all')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'RevokeAllMyRefreshTokens',
    summary: 'Revoke every refresh token of the caller, and the access tokens that came from them',
    returns: RevokeAllMyRefreshTokensResponse,
    refuses: [...OWN_REFUSALS, applicationNotTrusted()],
  })
  async revokeAll(@Asking() actor: Actor): Promise<RevokeAllMyRefreshTokensResponse> {
    const { orgId } = await this.account.read(actor);
    checkMayChangeOwnSignIn(actor);
    await this.refreshTokens.endAll({ userId: actor.userId, orgId });
    return {};
  }

  @Post('metadata/_search')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'ListMyMetadata',
    summary: "Search the caller's metadata",
    request: ListMyMetadataRequest,
    returns: ListUserMetadataResponse,
    refuses: OWN_REFUSALS,
  })
  async listMetadata(
    @Asking() actor: Actor,
    @Message() { query, queries }: ListMyMetadataRequest,
  ): Promise<ListUserMetadataResponse> {
    const { orgId } = await this.account.read(actor);
    const keys = queries.flatMap(({ keyQuery }) => (keyQuery ? [{ how: keyQuery.method, text: keyQuery.key }] : []));
    const page = await this.metadata.list(actor.userId, keys, toRange(query));
    return { details: toListDetails(page), result: page.rows.map((row) => toMetadataEntry(row, orgId)) };
  }

  @Get('metadata/:key')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'GetMyMetadata',
    summary: "Get an entry of the caller's metadata",
    request: MyMetadataByKey,
    returns: UserMetadataResponse,
    refuses: [...OWN_REFUSALS, metadataNotFound()],
  })
  async getMetadata(@Asking() actor: Actor, @Message() { key }: MyMetadataByKey): Promise<UserMetadataResponse> {
    const { orgId } = await this.account.read(actor);
    return { metadata: toMetadataEntry(await this.metadata.get(actor.userId, key), orgId) };
  }
}
