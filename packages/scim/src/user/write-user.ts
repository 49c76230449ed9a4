import type { ManagedUser } from 'gatehouse';
import type { Ask } from '../protocol/ask.js';
import { versionOf } from '../protocol/version.js';
import { Document } from '../resource/document.js';
import { metaOf } from '../resource/meta.js';
import type { Projection } from '../resource/projection.js';
import { type JsonObject, writeResource } from '../resource/write-resource.js';
import { subOf } from '../schema/attribute.js';
import { EXTERNAL_ID, ID, META } from '../schema/common.schema.js';
import { ACTIVE, GROUPS, USER } from '../schema/user.schema.js';
import { accountOf } from './account.js';
import type { ProvisionedUser } from './provisioned-users.js';
import { shownOf } from './shown-user.js';

/** A user with what is known of it besides. */
export interface KnownUser {
  readonly user: ManagedUser;
  /** What a directory has said, if one provisions the user. */
  readonly row: ProvisionedUser | undefined;
  readonly groups: readonly { readonly id: string; readonly name: string }[];
}

/** The resource as far as a directory can say it. Who is not set up, or locked, is active. */
export function shownUser(user: ManagedUser, row: ProvisionedUser | undefined): Document {
  return shownOf(row?.said ?? Document.EMPTY, row?.became ?? {}, accountOf(user)).with(
    ACTIVE,
    user.state !== 'inactive',
  );
}

/** The resource as it is sent. An `externalId` is of its directory alone. */
export function writeUser({ user, row, groups }: KnownUser, ask: Ask, projection: Projection): JsonObject {
  const isOwn = row?.directoryId === ask.caller.userId;
  const document = shownUser(user, row)
    .with(ID, user.id)
    .with(EXTERNAL_ID, isOwn ? row.externalId : undefined)
    .with(
      GROUPS,
      groups.map(
        ({ id, name }) =>
          new Map([
            [subOf(GROUPS, 'value'), id],
            [subOf(GROUPS, '$ref'), ask.locations.to('Groups', id)],
            [subOf(GROUPS, 'display'), name],
            [subOf(GROUPS, 'type'), 'direct'],
          ]),
      ),
    )
    .with(
      META,
      metaOf(USER, {
        created: user.createdAt,
        lastModified: row && row.changedAt > user.changedAt ? row.changedAt : user.changedAt,
        location: ask.locations.of(USER, user.id),
        version: versionOf(user.sequence, row?.revision),
      }),
    );
  return writeResource(USER, document, projection);
}
