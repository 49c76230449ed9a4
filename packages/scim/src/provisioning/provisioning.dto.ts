import { Count, Parts, Text, Texts } from 'gatehouse/admin';

const MOST = 1_000;
const DIRECTORY_ID = { min: 1, max: 200, description: 'ID of the service user that is the directory.' } as const;
const USER_IDS = { min: 1, max: 200, maxItems: MOST, description: 'IDs of users of the organization.' } as const;
const GROUP_IDS = { min: 1, max: 200, maxItems: MOST, description: 'IDs of groups of the organization.' } as const;

export class Done {}

export class DirectoryEntry {
  @Text(1, { description: 'ID of the service user that is the directory.' })
  readonly directoryId!: string;

  @Count(2, { description: 'How many users it provisions.' })
  readonly users!: number;

  @Count(3, { description: 'How many groups it provisions.' })
  readonly groups!: number;
}

export class DirectoryEntries {
  @Parts(1, () => DirectoryEntry)
  readonly result!: readonly DirectoryEntry[];
}

export class ListProvisionedRequest {
  @Text(1, DIRECTORY_ID)
  readonly directoryId!: string;

  @Count(2, { max: 1_000_000, description: 'How many are passed over.' })
  readonly offset!: number;

  @Count(3, { max: MOST, description: 'The most that are answered; 100 if it is 0.' })
  readonly limit!: number;
}

export class ProvisionedUserEntry {
  @Text(1, { description: 'ID of the user.' })
  readonly userId!: string;

  @Text(2, { description: 'The ID of the user in the directory; empty if it has said none.' })
  readonly externalId!: string;
}

export class ProvisionedUserEntries {
  @Parts(1, () => ProvisionedUserEntry)
  readonly result!: readonly ProvisionedUserEntry[];

  @Count(2, { description: 'How many there are.' })
  readonly total!: number;
}

export class UsersOfDirectory {
  @Text(1, DIRECTORY_ID)
  readonly directoryId!: string;

  @Texts(2, USER_IDS)
  readonly userIds!: string[];
}

export class ProvisionedGroupEntry {
  @Text(1, { description: 'ID of the group.' })
  readonly groupId!: string;

  @Text(2, { description: 'The ID of the group in the directory; empty if it has said none.' })
  readonly externalId!: string;
}

export class ProvisionedGroupEntries {
  @Parts(1, () => ProvisionedGroupEntry)
  readonly result!: readonly ProvisionedGroupEntry[];

  @Count(2, { description: 'How many there are.' })
  readonly total!: number;
}

export class GroupsOfDirectory {
  @Text(1, DIRECTORY_ID)
  readonly directoryId!: string;

  @Texts(2, GROUP_IDS)
  readonly groupIds!: string[];
}
