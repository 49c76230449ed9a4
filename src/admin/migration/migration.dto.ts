import { Count, Flag, Named, Part, Parts, Text, Texts } from '../kit/wire/fields.js';
import { DataOrg, DataOrgV1 } from './document.dto.js';
import { ImportedOrg } from './imported.dto.js';
import { LEFT_OUT, MigrationJob } from './job.dto.js';
import { DirectoryFile, ObjectStoreFile, S3File } from './place.dto.js';

const TIMEOUT = {
  max: 100,
  description: 'Maximum duration of the call, such as `90s`, `30m` or `1h30m`; at most 24h. Defaults to 30m.',
  example: '30m',
} as const;
const ORG_IDS = { min: 1, max: 200, maxItems: 10_000 } as const;

@Named('ExportDataRequest')
export class ExportDataRequest {
  @Texts(1, { ...ORG_IDS, description: 'The organizations to export. Defaults to all.' })
  readonly orgIds!: string[];

  @Texts(2, { ...ORG_IDS, description: 'Organizations to leave out. Takes precedence over `orgIds`.' })
  readonly excludedOrgIds!: string[];

  @Flag(3, {
    description: 'Include the hashes of passwords and secrets, and the client secrets of identity providers.',
  })
  readonly withPasswords!: boolean;

  @Flag(4, { description: 'Include the seeds of one-time codes and the hashes of recovery codes.' })
  readonly withOtp!: boolean;

  @Flag(5, {
    description:
      'Return the document in the response. This is the default if no output is chosen. In combination with a file, the document is written to both, and the response ends when the file is complete.',
    example: true,
  })
  readonly responseOutput!: boolean;

  @Part(6, () => DirectoryFile, { description: 'Write the document to a file in the directory of the service.' })
  readonly localOutput?: DirectoryFile | undefined;

  @Part(7, () => S3File, {
    description: 'Write the document to a file in a bucket of Amazon S3 or a compatible storage. Runs as a job.',
  })
  readonly s3Output?: S3File | undefined;

  @Part(8, () => ObjectStoreFile, { description: 'Same as `objstoreOutput`.' })
  readonly gcsOutput?: ObjectStoreFile | undefined;

  @Text(9, TIMEOUT)
  readonly timeout!: string;

  @Part(100, () => ObjectStoreFile, { description: 'Write the document to a file in a bucket. Runs as a job.' })
  readonly objstoreOutput?: ObjectStoreFile | undefined;

  @Flag(101, { description: 'Include the public keys of applications and service users.' })
  readonly withKeys!: boolean;

  @Flag(102, {
    description:
      'Include the passkeys and security keys of people: their public part. They work at another service only if it has the same domain (`PASSKEY_RP_ID`).',
  })
  readonly withPasskeys!: boolean;
}

/** Over gRPC the job is part of the response; in JSON it is a response of its own (202). */
const JOB = {
  description: 'gRPC only: the job, if the document is a file. The JSON API returns the job with status 202 instead.',
};

/** The document. Each organization has the members that it has anything for; docs/migration.md names them. */
@Named('ExportDataResponse')
export class ExportDataResponse {
  @Parts(1, () => DataOrg, { description: 'The organizations, each with its users, projects and other objects.' })
  readonly orgs?: readonly object[] | undefined;

  @Texts(100, LEFT_OUT)
  readonly leftOut?: readonly string[] | undefined;

  @Part(101, () => MigrationJob, JOB)
  readonly job?: MigrationJob | undefined;

  @Count(102, {
    description:
      'Number of users whose passkeys or security keys are left out: these users need a link to add new ones. Absent if there are none, and with `withPasskeys`.',
    example: 3,
    optional: true,
  })
  readonly usersWithKeys?: number | undefined;
}

/** A document, as an export answers it. */
@Named('ImportDataOrg')
export class ImportDataOrg {
  @Parts(1, () => DataOrg)
  readonly orgs!: readonly object[];

  @Texts(100, { description: 'Metadata of the export; ignored.' })
  readonly leftOut!: readonly string[];

  @Count(102, { description: 'Metadata of the export; ignored.' })
  readonly usersWithKeys?: number | undefined;
}

/** A document of the older form. */
@Named('ImportDataOrgV1')
export class ImportDataOrgV1 {
  @Parts(1, () => DataOrgV1)
  readonly orgs!: readonly object[];

  @Texts(100, { description: 'Metadata of the export; ignored.' })
  readonly leftOut!: readonly string[];

  @Count(102, { description: 'Metadata of the export; ignored.' })
  readonly usersWithKeys?: number | undefined;
}

const DATA = 'data';

@Named('ImportDataRequest')
export class ImportDataRequest {
  @Part(1, () => ImportDataOrg, {
    oneof: DATA,
    description:
      'The document: an object with `orgs`, as returned by an export. May be larger than the body of any other operation.',
  })
  readonly dataOrgs?: ImportDataOrg | undefined;

  @Part(2, () => ImportDataOrgV1, {
    oneof: DATA,
    example: { orgs: [{ orgId: '312909075212468999', org: { name: 'Acme Sweden' } }] },
    description:
      'Same as `dataOrgsv1`, also in its older form. In the JSON API it may be a string that contains the document. Exactly one document must be sent or named.',
  })
  readonly dataOrgsv1?: ImportDataOrgV1 | undefined;

  @Part(3, () => DirectoryFile, {
    oneof: DATA,
    description: 'Read the document from a file in the directory of the service. Runs as a job.',
  })
  readonly dataOrgsLocal?: DirectoryFile | undefined;

  @Part(4, () => DirectoryFile, { oneof: DATA, description: 'Same as `dataOrgsLocal`.' })
  readonly dataOrgsv1Local?: DirectoryFile | undefined;

  @Part(5, () => S3File, {
    oneof: DATA,
    description: 'Read the document from a file in a bucket of Amazon S3 or a compatible storage. Runs as a job.',
  })
  readonly dataOrgsS3?: S3File | undefined;

  @Part(6, () => S3File, { oneof: DATA, description: 'Same as `dataOrgsS3`.' })
  readonly dataOrgsv1S3?: S3File | undefined;

  @Part(7, () => ObjectStoreFile, { oneof: DATA, description: 'Same as `dataOrgsv1Objstore`.' })
  readonly dataOrgsGcs?: ObjectStoreFile | undefined;

  @Part(8, () => ObjectStoreFile, { oneof: DATA, description: 'Same as `dataOrgsv1Objstore`.' })
  readonly dataOrgsv1Gcs?: ObjectStoreFile | undefined;

  @Text(9, TIMEOUT)
  readonly timeout!: string;

  @Text(100, {
    max: 20,
    description:
      '`skip`: leave existing objects that conflict unchanged and list them in `errors`. By default, a conflict refuses the whole document.',
  })
  readonly onConflict!: string;

  @Flag(101, { description: 'Dry run: do everything except writing.', example: true })
  readonly dryRun!: boolean;

  @Flag(102, {
    description:
      'Whether users who must set up their account before they can sign in are sent a code once the import is committed. By default, an import sends no e-mails.',
  })
  readonly sendInitMails!: boolean;

  @Part(103, () => ObjectStoreFile, {
    oneof: DATA,
    description: 'Read the document from a file in a bucket. Runs as a job.',
  })
  readonly dataOrgsv1Objstore?: ObjectStoreFile | undefined;

  @Part(104, () => ObjectStoreFile, { oneof: DATA, description: 'Same as `dataOrgsv1Objstore`.' })
  readonly dataOrgsObjstore?: ObjectStoreFile | undefined;
}

@Named('ImportDataError')
export class ImportDataError {
  @Text(1, { description: 'The type of the object.', example: 'human_user' })
  readonly type!: string;

  @Text(2, { description: 'ID of the object.' })
  readonly id!: string;

  @Text(3, { description: 'Why the object was left out.' })
  readonly message!: string;
}

@Named('ImportDataSuccess')
export class ImportDataSuccess {
  @Parts(1, () => ImportedOrg, {
    description: 'The organizations, each with the IDs of all objects of the document that now exist here.',
  })
  readonly orgs!: readonly ImportedOrg[];
}

@Named('ImportDataResponse')
export class ImportDataResponse {
  @Parts(1, () => ImportDataError, { description: 'Objects that were left out; only with `onConflict`.' })
  readonly errors!: ImportDataError[];

  @Part(2, () => ImportDataSuccess)
  readonly success?: ImportDataSuccess | undefined;

  @Part(100, () => MigrationJob, JOB)
  readonly job?: MigrationJob | undefined;
}
