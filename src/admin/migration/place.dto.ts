import { Flag, Named, Text } from '../kit/wire/fields.js';

/** A file in a bucket of Google Cloud Storage. */
@Named('ObjectStoreFile')
export class ObjectStoreFile {
  @Text(3, {
    max: 2_000,
    description: 'Name of the file in the bucket. It is gzip-compressed if the name ends in `.gz`.',
    example: 'moves/2026-11-21.json.gz',
  })
  readonly path!: string;

  @Text(1, { max: 200, description: 'Name of the bucket.', example: 'acme-moves' })
  readonly bucket!: string;

  @Text(2, {
    max: 20_000,
    writeOnly: true,
    description:
      'Credentials file, in base64, of a service account that may create (export) or read (import) the file. Not stored.',
  })
  readonly serviceaccountJson!: string;
}

/** A file in a bucket of Amazon S3, or of a storage that speaks its interface. */
@Named('S3File')
export class S3File {
  @Text(1, {
    max: 2_000,
    description: 'Name of the file in the bucket. It is gzip-compressed if the name ends in `.gz`.',
    example: 'moves/2026-11-21.json.gz',
  })
  readonly path!: string;

  @Text(2, {
    max: 300,
    example: 's3.eu-central-1.amazonaws.com',
    description:
      'Host of the storage, with a port or `https://` if needed: a public host, or one listed by the operator in OBJECT_STORE_S3_ENDPOINTS. Defaults to the first listed host, or else Amazon S3.',
  })
  readonly endpoint!: string;

  @Text(3, { max: 200, description: 'ID of an access key that may create (export) or read (import) the file.' })
  readonly accessKeyId!: string;

  @Text(4, { max: 1_000, writeOnly: true, description: 'Secret of the access key. Not stored.' })
  readonly secretAccessKey!: string;

  @Flag(5, {
    description: 'Use https. It is also used if this is false, unless the operator has listed the host with `http://`.',
    example: true,
  })
  readonly ssl!: boolean;

  @Text(6, { max: 200, description: 'Name of the bucket.', example: 'acme-moves' })
  readonly bucket!: string;

  @Text(100, {
    max: 100,
    description:
      'Region of the bucket. Defaults to the region of the endpoint, or else `us-east-1`; Amazon S3 reports the actual region of the bucket.',
    example: 'eu-central-1',
  })
  readonly region!: string;

  @Text(101, {
    max: 10_000,
    writeOnly: true,
    description: 'Session token of temporary credentials. Not stored.',
  })
  readonly sessionToken!: string;
}

/** A file in the directory that the operator of the service has set aside for exports and imports. */
@Named('DirectoryFile')
export class DirectoryFile {
  @Text(1, {
    max: 2_000,
    description: 'Path of the file in the directory. It is gzip-compressed if the name ends in `.gz`.',
    example: 'moves/2026-11-21.json.gz',
  })
  readonly path!: string;
}
