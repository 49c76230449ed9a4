import { Named, Parts, Text, Texts } from '../kit/wire/fields.js';

// What an import answers: the ids of what it wrote, by the kinds of objects.

@Named('ImportedTriggerActions')
class ImportedTriggerActions {
  @Text(1, { description: 'The flow type.' })
  readonly flowType!: string;

  @Text(2, { description: 'The trigger: when in the flow the scripts would run.' })
  readonly triggerType!: string;

  @Texts(3, { description: 'Scripts.' })
  readonly actionIds!: readonly string[];
}

@Named('ImportedProjectGrant')
class ImportedProjectGrant {
  @Text(1)
  readonly grantId!: string;

  @Text(2)
  readonly projectId!: string;

  @Text(3, { description: 'The organization that the project is granted to.' })
  readonly orgId!: string;
}

@Named('ImportedUserGrant')
class ImportedUserGrant {
  @Text(1)
  readonly projectId!: string;

  @Text(2)
  readonly userId!: string;
}

@Named('ImportedProjectMember')
class ImportedProjectMember {
  @Text(1)
  readonly projectId!: string;

  @Text(2)
  readonly userId!: string;
}

@Named('ImportedProjectGrantMember')
class ImportedProjectGrantMember {
  @Text(1)
  readonly projectId!: string;

  @Text(2)
  readonly grantId!: string;

  @Text(3)
  readonly userId!: string;
}

@Named('ImportedUserLink')
class ImportedUserLink {
  @Text(1)
  readonly userId!: string;

  @Text(2)
  readonly externalUserId!: string;

  @Text(3)
  readonly displayName!: string;

  @Text(4)
  readonly idpId!: string;
}

@Named('ImportedGroupMember')
class ImportedGroupMember {
  @Text(1)
  readonly groupId!: string;

  @Text(2)
  readonly userId!: string;
}

@Named('ImportedGroupGrant')
class ImportedGroupGrant {
  @Text(1)
  readonly projectId!: string;

  @Text(2)
  readonly groupId!: string;
}

@Named('ImportedUserMetadata')
class ImportedUserMetadata {
  @Text(1)
  readonly userId!: string;

  @Text(2)
  readonly key!: string;
}

/** An organization, with the ids of everything that the document holds of it and that is here now. */
@Named('ImportedOrg')
export class ImportedOrg {
  @Text(1)
  readonly orgId!: string;

  @Texts(2, { description: 'Projects.' })
  readonly projectIds!: readonly string[];

  @Texts(3, { description: 'IDs in the form `projectId_roleKey`.' })
  readonly projectRoles!: readonly string[];

  @Texts(4, { description: 'OpenID Connect applications.' })
  readonly oidcAppIds!: readonly string[];

  @Texts(5, { description: 'API applications.' })
  readonly apiAppIds!: readonly string[];

  @Texts(6, { description: 'People.' })
  readonly humanUserIds!: readonly string[];

  @Texts(7, { description: 'Service users.' })
  readonly machineUserIds!: readonly string[];

  @Texts(8, { description: 'Scripts.' })
  readonly actionIds!: readonly string[];

  @Parts(9, () => ImportedTriggerActions)
  readonly triggerActions!: readonly ImportedTriggerActions[];

  @Parts(10, () => ImportedProjectGrant)
  readonly projectGrants!: readonly ImportedProjectGrant[];

  @Parts(11, () => ImportedUserGrant)
  readonly userGrants!: readonly ImportedUserGrant[];

  @Texts(12, { description: 'Members of the organization.' })
  readonly orgMembers!: readonly string[];

  @Parts(13, () => ImportedProjectMember)
  readonly projectMembers!: readonly ImportedProjectMember[];

  @Parts(14, () => ImportedProjectGrantMember)
  readonly projectGrantMembers!: readonly ImportedProjectGrantMember[];

  @Texts(15, { description: 'OpenID Connect identity providers. The field name is kept for compatibility.' })
  readonly oidcIpds!: readonly string[];

  @Texts(16, { description: 'JWT identity providers.' })
  readonly jwtIdps!: readonly string[];

  @Texts(17, { description: 'Always empty.' })
  readonly idpLinks!: readonly string[];

  @Parts(18, () => ImportedUserLink)
  readonly userLinks!: readonly ImportedUserLink[];

  @Parts(19, () => ImportedUserMetadata)
  readonly userMetadata!: readonly ImportedUserMetadata[];

  @Texts(20, { description: 'Domains.' })
  readonly domains!: readonly string[];

  @Texts(21, { description: 'Keys of applications.' })
  readonly appKeys!: readonly string[];

  @Texts(22, { description: 'Keys of service users.' })
  readonly machineKeys!: readonly string[];

  @Texts(100, { description: 'Identity providers whose kinds extensions bring.' })
  readonly extensionIdps!: readonly string[];

  @Texts(101, { description: 'Groups.' })
  readonly groupIds!: readonly string[];

  @Parts(102, () => ImportedGroupMember)
  readonly groupMembers!: readonly ImportedGroupMember[];

  @Parts(103, () => ImportedGroupGrant)
  readonly groupGrants!: readonly ImportedGroupGrant[];

  @Texts(104, { description: 'Applications that extensions answer.' })
  readonly extensionAppIds!: readonly string[];

  @Texts(105, { description: 'Keys of the metadata of the organization.' })
  readonly orgMetadata!: readonly string[];
}
