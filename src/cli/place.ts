import type { Arguments } from './arguments.js';
import { usage } from './command.js';
import { readFile } from './connection.js';

export const PLACE_HELP = `
  A file that the service itself writes or reads is named as
    gs://BUCKET/PATH    in Google Cloud Storage, with --service-account FILE: the credentials file
                        of a service account that may create (export) or read (import) it
    dir:PATH            in the directory that the service's operator has set (OBJECT_STORE_DIR)`;

/** How a request names a file that the service writes or reads. */
export type SentPlace = { readonly objstore: object } | { readonly local: object };

/** @throws CommandError for what names none */
export function readPlace(option: string, text: string, given: Arguments): SentPlace {
  if (text.startsWith('dir:')) return { local: { path: text.slice('dir:'.length) } };
  const [, bucket, path] = /^gs:\/\/([^/]+)\/(.+)$/s.exec(text) ?? [];
  if (bucket === undefined || path === undefined) throw usage(`--${option} is "${text}". Give gs://BUCKET/PATH or dir:PATH.`);
  const account = given.text('service-account');
  if (account === undefined) throw usage(`--service-account is missing: ${text} needs the credentials file of a service account.`);
  return { objstore: { bucket, path, serviceaccountJson: readFile(account).toString('base64') } };
}
