import { Controller, Delete, Post } from '@nestjs/common';
import { ManagedUsers } from '../../management/user/managed-users.js';
import { sessionNotFound } from '../../session/session.errors.js';
import { type SessionEntry, UserSessions } from '../../session/user-sessions.js';
import type { Actor } from '../../user/permission/actor.js';
import { applicationNotTrusted, userTooStrong } from '../../user/permission/permission.errors.js';
import { userNotFound } from '../../user/user.errors.js';
import { UserDirectory } from '../../user/user-directory.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { OfOrg, Operation } from '../kit/operation.js';
import { Tagged } from '../kit/wire/documentation.js';
import { toListDetails, toRange } from '../kit/wire/list.dto.js';
import { Message } from '../kit/wire/message.js';
import {
  EndedSessionsResponse,
  EndUserSessionsRequest,
  ListUserSessionsRequest,
  ListUserSessionsResponse,
  type UserSession,
  UserSessionById,
} from './user-session.dto.js';

const AFTERWARDS = 'Its access tokens become invalid at once; refresh tokens of `offline_access` stay valid.';

/** Where a user is signed in. */
@Tagged('Users')
@Controller('management/v1/users/:userId/sessions')
@OfOrg()
export class UserSessionController {
  constructor(
    private readonly sessions: UserSessions,
    private readonly directory: UserDirectory,
    private readonly managed: ManagedUsers,
  ) {}

  @Post('_search')
  @Requires('user.read')
  @Operation({
    id: 'ListUserSessions',
    summary: 'List the sessions of a user',
    description: 'A session is a browser in which the user is signed in. Sorted by the time at which they began.',
    request: ListUserSessionsRequest,
    returns: ListUserSessionsResponse,
    refuses: [userNotFound()],
  })
  async list(
    @Asking() actor: Actor,
    @Message() { userId, query }: ListUserSessionsRequest,
  ): Promise<ListUserSessionsResponse> {
    await this.directory.get(actor.orgId, userId);
    const page = await this.sessions.list(userId, toRange(query));
    return { details: toListDetails(page), result: page.rows.map(toSession) };
  }

  @Delete()
  @Requires('user.write')
  @Operation({
    id: 'EndUserSessions',
    summary: 'End all sessions of a user: sign them out everywhere',
    description: AFTERWARDS.replace('Its', 'Their'),
    request: EndUserSessionsRequest,
    returns: EndedSessionsResponse,
    refuses: [userNotFound(), userTooStrong(), applicationNotTrusted()],
  })
  async endAll(@Asking() actor: Actor, @Message() { userId }: EndUserSessionsRequest): Promise<EndedSessionsResponse> {
    return {
      ended: await this.managed.change(actor, userId, (tx) => this.sessions.endAll(tx, userId, actor.userId)),
    };
  }

  @Delete(':sessionId')
  @Requires('user.write')
  @Operation({
    id: 'EndUserSession',
    summary: 'End a session of a user: sign them out in one browser',
    description: AFTERWARDS,
    request: UserSessionById,
    returns: EndedSessionsResponse,
    refuses: [userNotFound(), userTooStrong(), applicationNotTrusted(), sessionNotFound()],
  })
  async end(@Asking() actor: Actor, @Message() { userId, sessionId }: UserSessionById): Promise<EndedSessionsResponse> {
    const ended = await this.managed.change(actor, userId, (tx) =>
      this.sessions.end(tx, userId, sessionId, actor.userId),
    );
    return { ended };
  }
}

function toSession(session: SessionEntry): UserSession {
  const { id, createdAt, passwordCheckedAt, externalCheckedAt, externalIdpId, factorCheckedAt } = session;
  const { factorKind, passkeyCheckedAt } = session;
  return {
    id,
    creationDate: createdAt,
    passwordCheckDate: passwordCheckedAt ?? undefined,
    externalCheckDate: externalCheckedAt ?? undefined,
    idpId: externalIdpId ?? '',
    secondFactorCheckDate: factorCheckedAt ?? undefined,
    isSecondFactorKey: factorKind === 'u2f',
    passkeyCheckDate: passkeyCheckedAt ?? undefined,
  };
}
