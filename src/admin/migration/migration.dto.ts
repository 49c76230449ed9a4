import { LEFT_OUT } from './job.dto.js';
import { Flag, Part, Parts, Struct, Text, Texts } from '../wire/fields.js';

const TIMEOUT = { max: 100, description: 'How long the call may take, such as `90s`, `30m` or `1h30m`; at most 24h. Empty: 30m.', example: '30m' } as const;
const ORG_IDS = { min: 1, max: 200, maxItems: 10_000 } as const;

/** A file in a bucket of Google Cloud Storage. */
export class ObjectStoreFile {
  @Text(3, { max: 2_000, description: 'Name of the file in the bucket; called `….gz` it is compressed.', example: 'moves/2026-11-21.json.gz' })
  readonly path!: string;

  @Text(1, { max: 200, description: 'Name of the bucket.', example: 'acme-moves' })
  readonly bucket!: string;

  @Text(2, { max: 20_000, writeOnly: true, description: 'Credentials file of a service account that may create (export) or read (import) the file, in base64. Kept nowhere.' })
  readonly serviceaccountJson!: string;
}

/** A file in a bucket of Amazon S3, or of a storage that speaks its interface. */
export class S3File {
  @Text(1, { max: 2_000, description: 'Name of the file in the bucket; called `….gz` it is compressed.', example: 'moves/2026-11-21.json.gz' })
  readonly path!: string;

  @Text(2, {
    max: 300, example: 's3.eu-central-1.amazonaws.com',
    description: 'Host of the storage, with its port or `https://` if need be: a public one, or one that the operator has listed in OBJECT_STORE_S3_ENDPOINTS. Empty: the first one that is listed, else Amazon\'s.',
  })
  readonly endpoint!: string;

  @Text(3, { max: 200, description: 'Id of an access key that may create (export) or read (import) the file.' })
  readonly accessKeyId!: string;

  @Text(4, { max: 1_000, writeOnly: true, description: 'Secret of that key. Kept nowhere.' })
  readonly secretAccessKey!: string;

  @Flag(5, { description: 'The storage is asked by https. Without it, too, unless the operator has listed it with `http://`.', example: true })
  readonly ssl!: boolean;

  @Text(6, { max: 200, description: 'Name of the bucket.', example: 'acme-moves' })
  readonly bucket!: string;

  @Text(100, { max: 100, description: 'Region of the bucket. Empty: that of the endpoint, else `us-east-1`; Amazon tells where the bucket really is.', example: 'eu-central-1' })
  readonly region!: string;

  @Text(101, { max: 10_000, writeOnly: true, description: 'Session token of a key that was lent for some time. Kept nowhere.' })
  readonly sessionToken!: string;
}

/** A file in the directory that the operator of the service has set aside for exports and imports (OBJECT_STORE_DIR). */
export class DirectoryFile {
  @Text(1, { max: 2_000, description: 'Path of the file in the directory; called `….gz` it is compressed.', example: 'moves/2026-11-21.json.gz' })
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

  @Flag(5, { description: 'The document is the answer; so it is when no output is chosen. With a file as well: both, and the answer ends once the file is there.', example: true })
  readonly responseOutput!: boolean;

  @Part(6, () => DirectoryFile, { description: 'The document becomes a file in the directory of the service.' })
  readonly localOutput?: DirectoryFile | undefined;

  @Part(7, () => S3File, { description: 'The document becomes a file in a bucket of Amazon S3 or a storage that speaks its interface: the answer is a job.' })
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

/** The document. Each organization has the members that it has anything for; docs/migration.md names them. */
export class ExportDataResponse {
  @Struct(1, { description: '`orgs`: the organizations, each with its people, projects and so on.' })
  readonly orgs?: object | undefined;

  @Texts(100, LEFT_OUT)
  readonly leftOut?: readonly string[] | undefined;
}

export class ImportDataRequest {
  @Struct(1, { description: 'The document: an object with `orgs`, as an export answers it. May be larger than the body of any other operation.' })
  readonly dataOrgs?: object | undefined;

  @Struct(2, { description: 'The same; may also be sent as a string that holds the document. Exactly one document must be sent or named.', example: { orgs: [{ orgId: '312909075212468999', org: { name: 'Acme Sweden' } }] } })
  readonly dataOrgsv1?: object | undefined;

  @Part(3, () => DirectoryFile, { description: 'The document is a file in the directory of the service: the answer is a job.' })
  readonly dataOrgsLocal?: DirectoryFile | undefined;

  @Part(4, () => DirectoryFile, { description: 'As `dataOrgsLocal`.' })
  readonly dataOrgsv1Local?: DirectoryFile | undefined;

  @Part(5, () => S3File, { description: 'The document is a file in a bucket of Amazon S3 or a storage that speaks its interface: the answer is a job.' })
  readonly dataOrgsS3?: S3File | undefined;

  @Part(6, () => S3File, { description: 'As `dataOrgsS3`.' })
  readonly dataOrgsv1S3?: S3File | undefined;

  @Part(7, () => ObjectStoreFile, { description: 'As `dataOrgsv1Objstore`.' })
  readonly dataOrgsGcs?: ObjectStoreFile | undefined;

  @Part(8, () => ObjectStoreFile, { description: 'As `dataOrgsv1Objstore`.' })
  readonly dataOrgsv1Gcs?: ObjectStoreFile | undefined;

  @Text(9, TIMEOUT)
  readonly timeout!: string;

  @Text(100, { max: 20, description: '`skip`: what conflicts is left as it is and named in `errors`. Empty: a conflict refuses everything.' })
  readonly onConflict!: string;

  @Flag(101, { description: 'Everything but the writing.', example: true })
  readonly dryRun!: boolean;

  @Flag(102, { description: 'Whether people who cannot sign in before they have set their account up are sent a code for that, once the import is committed. Else importing sends no mails.' })
  readonly sendInitMails!: boolean;

  @Part(103, () => ObjectStoreFile, { description: 'The document is a file in a bucket: the answer is a job.' })
  readonly dataOrgsv1Objstore?: ObjectStoreFile | undefined;

  @Part(104, () => ObjectStoreFile, { description: 'As `dataOrgsv1Objstore`.' })
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

export class ImportDataSuccess {
  @Struct(1, { description: 'The organizations, each with the ids of everything that the document holds of it and that is here now.' })
  readonly orgs?: object | undefined;
}

export class ImportDataResponse {
  @Parts(1, () => ImportDataError, { description: 'What was left out; only with `onConflict`.' })
  readonly errors!: ImportDataError[];

  @Part(2, () => ImportDataSuccess)
  readonly success?: ImportDataSuccess | undefined;
}
