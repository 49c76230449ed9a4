import type { Arguments } from './command/arguments.js';
import { type Surroundings } from './command/command.js';
import { usage } from './command/command-error.js';
import { readFile } from './connection.js';

/** The options that go with a place. */
export const PLACE = {
  'service-account': { type: 'string' },
  's3-endpoint': { type: 'string' },
  's3-region': { type: 'string' },
} as const;

export const PLACE_HELP = `
  PLACE names a file that the service itself writes or reads:
    gs://BUCKET/PATH    in Google Cloud Storage, with --service-account FILE: the credentials file
                        of a service account that may create (export) or read (import) it
    s3://BUCKET/PATH    in Amazon S3 or a compatible storage, with an access key in
                        AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN);
                        --s3-endpoint URL for another storage: a public one, or one listed by the
                        operator of the service; --s3-region REGION if required
    dir:PATH            in the directory set by the operator of the service (OBJECT_STORE_DIR)`;

/** A file that the service writes or reads, as in a request: the kind of place, and its parts. */
export type SentPlace = { readonly kind: 'objstore' | 's3' | 'local'; readonly file: object };

/** @throws CommandError if the text is not a place */
export function readPlace(option: string, text: string, given: Arguments, { settings }: Surroundings): SentPlace {
  if (text.startsWith('dir:')) return { kind: 'local', file: { path: text.slice('dir:'.length) } };
  const [, scheme, bucket, path] = /^(gs|s3):\/\/([^/]+)\/(.+)$/s.exec(text) ?? [];
  if (bucket === undefined || path === undefined)
    throw usage(`--${option} is "${text}". Give gs://BUCKET/PATH, s3://BUCKET/PATH or dir:PATH.`);
  if (scheme === 'gs') {
    const account = given.text('service-account');
    if (account === undefined)
      throw usage(`--service-account is missing: ${text} needs the credentials file of a service account.`);
    return { kind: 'objstore', file: { bucket, path, serviceaccountJson: readFile(account).toString('base64') } };
  }
  const { accessKey: key } = settings;
  if (key === undefined)
    throw usage(
      `An access key is missing: ${text} needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment.`,
    );
  const endpoint = given.text('s3-endpoint') ?? '';
  return {
    kind: 's3',
    file: {
      bucket,
      path,
      endpoint,
      ssl: endpoint.startsWith('https:'),
      region: given.text('s3-region') ?? '',
      accessKeyId: key.id,
      secretAccessKey: key.secret.reveal(),
      sessionToken: key.sessionToken?.reveal() ?? '',
    },
  };
}
