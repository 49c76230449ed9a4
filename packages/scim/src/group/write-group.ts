import type { ManagedGroup, ManagedGroupMember } from 'gatehouse';
import type { Ask } from '../protocol/ask.js';
import { versionOf } from '../protocol/version.js';
import { type Complex, Document } from '../resource/document.js';
import { metaOf } from '../resource/meta.js';
import type { Projection } from '../resource/projection.js';
import { type JsonObject, writeResource } from '../resource/write-resource.js';
import { subOf } from '../schema/attribute.js';
import { EXTERNAL_ID, ID, META } from '../schema/common.schema.js';
import { GROUP, GROUP_NAME, MEMBERS } from '../schema/group.schema.js';
import type { ProvisionedGroup } from './provisioned-groups.js';

/** A group with what is known of it besides. */
export interface KnownGroup {
  readonly group: ManagedGroup;
  /** What a directory has said, if one provisions the group. */
  readonly row: ProvisionedGroup | undefined;
  /** Undefined where they are not shown: a part of them would be taken for all. */
  readonly members: readonly ManagedGroupMember[] | undefined;
}

/** The resource as it is sent, without its members: as far as a PATCH changes it as a whole. */
export function shownGroup(group: ManagedGroup, row: ProvisionedGroup | undefined): Document {
  return Document.EMPTY.with(GROUP_NAME, group.name).with(EXTERNAL_ID, row?.externalId);
}

/** The resource as it is sent. An `externalId` is of its directory alone. */
export function writeGroup({ group, row, members }: KnownGroup, ask: Ask, projection: Projection): JsonObject {
  const isOwn = row?.directoryId === ask.caller.userId;
  const document = shownGroup(group, isOwn ? row : undefined)
    .with(ID, group.id)
    .with(
      META,
      metaOf(GROUP, {
        created: group.createdAt,
        lastModified: group.changedAt,
        location: ask.locations.of(GROUP, group.id),
        version: versionOf(group.sequence, row?.revision),
      }),
    );
  const written = writeResource(
    GROUP,
    document.with(
      MEMBERS,
      members?.map((one) => toMember(one, ask)),
    ),
    projection,
  );
  // Nobody is something else than not shown: Okta and Entra expect the empty list.
  const isEmpty = members?.length === 0 && projection.shows(MEMBERS);
  return isEmpty ? { ...written, [MEMBERS.name]: [] } : written;
}

/** Service users can be members, but are no resources of this protocol, and have no address in it. */
function toMember({ userId, kind, displayName }: ManagedGroupMember, ask: Ask): Complex {
  const isPerson = kind === 'human';
  return new Map([
    [subOf(MEMBERS, 'value'), userId],
    ...(isPerson ? ([[subOf(MEMBERS, '$ref'), ask.locations.to('Users', userId)]] as const) : []),
    [subOf(MEMBERS, 'display'), displayName],
    [subOf(MEMBERS, 'type'), 'User'],
  ]);
}
