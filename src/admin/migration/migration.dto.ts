import { Flag, Part, Parts, Text, Texts } from '../wire/fields.js';
import { DataOrg, DataOrgV1 } from './document.dto.js';
import { LEFT_OUT, MigrationJob } from './job.dto.js';

const TIMEOUT = {
  max: 100,
  description: 'How long the call may take, such as `90s`, `30m` or `1h30m`; at most 24h. Empty: 30m.',
  example: '30m',
} as const;
const ORG_IDS = { min: 1, max: 200, maxItems: 10_000 } as const;

/** A file in a bucket of Google Cloud Storage. */
export class ObjectStoreFile {
  @Text(3, {
    max: 2_000,
    description: 'Name of the file in the bucket; called `….gz` it is compressed.',
    example: 'moves/2026-11-21.json.gz',
  })
  readonly path!: string;

  @Text(1, { max: 200, description: 'Name of the bucket.', example: 'acme-moves' })
  readonly bucket!: string;

  @Text(2, {
    max: 20_000,
    writeOnly: true,
    description:
      'Credentials file of a service account that may create (export) or read (import) the file, in base64. Kept nowhere.',
  })
  readonly serviceaccountJson!: string;
}

/** A file in a bucket of Amazon S3, or of a storage that speaks its interface. */
export class S3File {
  @Text(1, {
    max: 2_000,
    description: 'Name of the file in the bucket; called `….gz` it is compressed.',
    example: 'moves/2026-11-21.json.gz',
  })
  readonly path!: string;

  @Text(2, {
    max: 300,
    example: 's3.eu-central-1.amazonaws.com',
    description:
      "Host of the storage, with its port or `https://` if need be: a public one, or one that the operator has listed in OBJECT_STORE_S3_ENDPOINTS. Empty: the first one that is listed, else Amazon's.",
  })
  readonly endpoint!: string;

  @Text(3, { max: 200, description: 'Id of an access key that may create (export) or read (import) the file.' })
  readonly accessKeyId!: string;

  @Text(4, { max: 1_000, writeOnly: true, description: 'Secret of that key. Kept nowhere.' })
  readonly secretAccessKey!: string;

  @Flag(5, {
    description: 'The storage is asked by https. Without it, too, unless the operator has listed it with `http://`.',
    example: true,
  })
  readonly ssl!: boolean;

  @Text(6, { max: 200, description: 'Name of the bucket.', example: 'acme-moves' })
  readonly bucket!: string;

  @Text(100, {
    max: 100,
    description:
      'Region of the bucket. Empty: that of the endpoint, else `us-east-1`; Amazon tells where the bucket really is.',
    example: 'eu-central-1',
  })
  readonly region!: string;

  @Text(101, {
    max: 10_000,
    writeOnly: true,
    description: 'Session token of a key that was lent for some time. Kept nowhere.',
  })
  readonly sessionToken!: string;
}

/** A file in the directory that the operator of the service has set aside for exports and imports (OBJECT_STORE_DIR). */
export class DirectoryFile {
  @Text(1, {
    max: 2_000,
    description: 'Path of the file in the directory; called `….gz` it is compressed.',
    example: 'moves/2026-11-21.json.gz',
  })
  readonly path!: string;
}

export class ExportDataRequest {
  @Texts(1, { ...ORG_IDS, description: 'The organizations to export; none: all of them.' })
  readonly orgIds!: string[];

  @Texts(2, { ...ORG_IDS, description: 'Organizations to leave out; wins over `orgIds`.' })
  readonly excludedOrgIds!: string[];

  @Flag(3, { description: 'With the hashes of passwords and secrets, and the client secrets of identity providers.' })
  readonly withPasswords!: boolean;

  @Flag(4, { description: 'With the seeds of one-time codes and the hashes of recovery codes.' })
  readonly withOtp!: boolean;

  @Flag(5, {
    description:
      'The document is the answer; so it is when no output is chosen. With a file as well: both, and the answer ends once the file is there.',
    example: true,
  })
  readonly responseOutput!: boolean;

  @Part(6, () => DirectoryFile, { description: 'The document becomes a file in the directory of the service.' })
  readonly localOutput?: DirectoryFile | undefined;

  @Part(7, () => S3File, {
    description:
      'The document becomes a file in a bucket of Amazon S3 or a storage that speaks its interface: the answer is a job.',
  })
  readonly s3Output?: S3File | undefined;

  @Part(8, () => ObjectStoreFile, { description: 'As `objstoreOutput`.' })
  readonly gcsOutput?: ObjectStoreFile | undefined;

  @Text(9, TIMEOUT)
  readonly timeout!: string;

  @Part(100, () => ObjectStoreFile, { description: 'The document becomes a file in a bucket: the answer is a job.' })
  readonly objstoreOutput?: ObjectStoreFile | undefined;

  @Flag(101, { description: 'With the public parts of the keys of applications and service users.' })
  readonly withKeys!: boolean;
}

/** Over gRPC the job stands in the answer; in JSON it is one of its own (202). */
const JOB = {
  description: 'Over gRPC: the job, where the document is a file. In JSON that is an answer of its own (202).',
};

/** The document. Each organization has the members that it has anything for; docs/migration.md names them. */
export class ExportDataResponse {
  @Parts(1, () => DataOrg, { description: 'The organizations, each with its people, projects and so on.' })
  readonly orgs?: readonly object[] | undefined;

  @Texts(100, LEFT_OUT)
  readonly leftOut?: readonly string[] | undefined;

  @Part(101, () => MigrationJob, JOB)
  readonly job?: MigrationJob | undefined;
}

/** A document, as an export answers it. */
export class ImportDataOrg {
  @Parts(1, () => DataOrg)
  readonly orgs!: readonly object[];

  @Texts(100, { description: 'What the export said of itself: not looked at.' })
  readonly leftOut!: readonly string[];
}

/** A document of the older form. */
export class ImportDataOrgV1 {
  @Parts(1, () => DataOrgV1)
  readonly orgs!: readonly object[];

  @Texts(100, { description: 'What the export said of itself: not looked at.' })
  readonly leftOut!: readonly string[];
}

const DATA = 'data';

export class ImportDataRequest {
  @Part(1, () => ImportDataOrg, {
    oneof: DATA,
    description:
      'The document: an object with `orgs`, as an export answers it. May be larger than the body of any other operation.',
  })
  readonly dataOrgs?: ImportDataOrg | undefined;

  @Part(2, () => ImportDataOrgV1, {
    oneof: DATA,
    example: { orgs: [{ orgId: '312909075212468999', org: { name: 'Acme Sweden' } }] },
    description:
      'The same, also in the older form; in JSON it may be sent as a string that holds the document. Exactly one document must be sent or named.',
  })
  readonly dataOrgsv1?: ImportDataOrgV1 | undefined;

  @Part(3, () => DirectoryFile, {
    oneof: DATA,
    description: 'The document is a file in the directory of the service: the answer is a job.',
  })
  readonly dataOrgsLocal?: DirectoryFile | undefined;

  @Part(4, () => DirectoryFile, { oneof: DATA, description: 'As `dataOrgsLocal`.' })
  readonly dataOrgsv1Local?: DirectoryFile | undefined;

  @Part(5, () => S3File, {
    oneof: DATA,
    description:
      'The document is a file in a bucket of Amazon S3 or a storage that speaks its interface: the answer is a job.',
  })
  readonly dataOrgsS3?: S3File | undefined;

  @Part(6, () => S3File, { oneof: DATA, description: 'As `dataOrgsS3`.' })
  readonly dataOrgsv1S3?: S3File | undefined;

  @Part(7, () => ObjectStoreFile, { oneof: DATA, description: 'As `dataOrgsv1Objstore`.' })
  readonly dataOrgsGcs?: ObjectStoreFile | undefined;

  @Part(8, () => ObjectStoreFile, { oneof: DATA, description: 'As `dataOrgsv1Objstore`.' })
  readonly dataOrgsv1Gcs?: ObjectStoreFile | undefined;

  @Text(9, TIMEOUT)
  readonly timeout!: string;

  @Text(100, {
    max: 20,
    description: '`skip`: what conflicts is left as it is and named in `errors`. Empty: a conflict refuses everything.',
  })
  readonly onConflict!: string;

  @Flag(101, { description: 'Everything but the writing.', example: true })
  readonly dryRun!: boolean;

  @Flag(102, {
    description:
      'Whether people who cannot sign in before they have set their account up are sent a code for that, once the import is committed. Else importing sends no mails.',
  })
  readonly sendInitMails!: boolean;

  @Part(103, () => ObjectStoreFile, {
    oneof: DATA,
    description: 'The document is a file in a bucket: the answer is a job.',
  })
  readonly dataOrgsv1Objstore?: ObjectStoreFile | undefined;

  @Part(104, () => ObjectStoreFile, { oneof: DATA, description: 'As `dataOrgsv1Objstore`.' })
  readonly dataOrgsObjstore?: ObjectStoreFile | undefined;
}

export class ImportDataError {
  @Text(1, { description: 'The kind of object.', example: 'human_user' })
  readonly type!: string;

  @Text(2, { description: 'Which one.' })
  readonly id!: string;

  @Text(3, { description: 'Why it was left out.' })
  readonly message!: string;
}

class ImportedTriggerActions {
  @Text(1, { description: 'The kind of flow.' })
  readonly flowType!: string;

  @Text(2, { description: 'When in the flow the scripts would run.' })
  readonly triggerType!: string;

  @Texts(3, { description: 'Scripts.' })
  readonly actionIds!: readonly string[];
}

class ImportedProjectGrant {
  @Text(1)
  readonly grantId!: string;

  @Text(2)
  readonly projectId!: string;

  @Text(3, { description: 'The organization that it was granted to.' })
  readonly orgId!: string;
}

class ImportedUserGrant {
  @Text(1)
  readonly projectId!: string;

  @Text(2)
  readonly userId!: string;
}

class ImportedProjectMember {
  @Text(1)
  readonly projectId!: string;

  @Text(2)
  readonly userId!: string;
}

class ImportedProjectGrantMember {
  @Text(1)
  readonly projectId!: string;

  @Text(2)
  readonly grantId!: string;

  @Text(3)
  readonly userId!: string;
}

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

class ImportedUserMetadata {
  @Text(1)
  readonly userId!: string;

  @Text(2)
  readonly key!: string;
}

/** An organization, with the ids of everything that the document holds of it and that is here now. */
export class ImportedOrg {
  @Text(1)
  readonly orgId!: string;

  @Texts(2, { description: 'Projects.' })
  readonly projectIds!: readonly string[];

  @Texts(3, { description: 'Each `projectId_roleKey`.' })
  readonly projectRoles!: readonly string[];

  @Texts(4, { description: 'Applications that sign people in.' })
  readonly oidcAppIds!: readonly string[];

  @Texts(5, { description: 'Applications that ask about tokens.' })
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

  @Texts(12, { description: 'Users who manage the organization.' })
  readonly orgMembers!: readonly string[];

  @Parts(13, () => ImportedProjectMember)
  readonly projectMembers!: readonly ImportedProjectMember[];

  @Parts(14, () => ImportedProjectGrantMember)
  readonly projectGrantMembers!: readonly ImportedProjectGrantMember[];

  @Texts(15, { description: 'Identity providers that speak OpenID Connect; the name is that of the reference.' })
  readonly oidcIpds!: readonly string[];

  @Texts(16, { description: 'Identity providers that send a JWT.' })
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
}

export class ImportDataSuccess {
  @Parts(1, () => ImportedOrg, {
    description:
      'The organizations, each with the ids of everything that the document holds of it and that is here now.',
  })
  readonly orgs!: readonly ImportedOrg[];
}

export class ImportDataResponse {
  @Parts(1, () => ImportDataError, { description: 'What was left out; only with `onConflict`.' })
  readonly errors!: ImportDataError[];

  @Part(2, () => ImportDataSuccess)
  readonly success?: ImportDataSuccess | undefined;

  @Part(100, () => MigrationJob, JOB)
  readonly job?: MigrationJob | undefined;
}
