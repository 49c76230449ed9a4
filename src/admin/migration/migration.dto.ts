import { Flag, Part, Parts, Struct, Text, Texts } from '../wire/fields.js';

const TIMEOUT = { max: 100, description: 'How long the call may take, such as `90s`, `30m` or `1h30m`; at most 24h. Empty: 30m.', example: '30m' } as const;
const ORG_IDS = { min: 1, max: 200, maxItems: 10_000 } as const;

/** A file in an object storage. */
export class ObjectStoreFile {
  @Text(1, { max: 2_000, description: 'Name of the file in the bucket.' })
  readonly path!: string;

  @Text(2, { max: 200, description: 'Name of the bucket.' })
  readonly bucket!: string;

  @Text(3, { max: 20_000, writeOnly: true, description: 'File with the credentials of a service account, in base64.' })
  readonly serviceaccountJson!: string;
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

  @Flag(5, { description: 'The document is the answer; so it is when no output is chosen.', example: true })
  readonly responseOutput!: boolean;

  @Text(9, TIMEOUT)
  readonly timeout!: string;

  @Part(100, () => ObjectStoreFile, { description: 'Not offered yet: refused.' })
  readonly objstoreOutput?: ObjectStoreFile | undefined;
}

/** The document. Each organization has the members that it has anything for; docs/migration.md names them. */
export class ExportDataResponse {
  @Struct(1, { description: '`orgs`: the organizations, each with its people, projects and so on.' })
  readonly orgs?: object | undefined;
}

export class ImportDataRequest {
  @Struct(1, { description: 'The document: an object with `orgs`, as an export answers it. May be larger than the body of any other operation.' })
  readonly dataOrgs?: object | undefined;

  @Struct(2, { description: 'The same; may also be sent as a string that holds the document. One of both must be sent.', example: { orgs: [] } })
  readonly dataOrgsv1?: object | undefined;

  @Text(9, TIMEOUT)
  readonly timeout!: string;

  @Text(100, { max: 20, description: '`skip`: what conflicts is left as it is and named in `errors`. Empty: a conflict refuses everything.' })
  readonly onConflict!: string;

  @Flag(101, { description: 'Everything but the writing.', example: true })
  readonly dryRun!: boolean;

  @Flag(102, { description: 'Not offered yet: refused when true. Importing sends no mails.' })
  readonly sendInitMails!: boolean;
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
