import { sha256 } from '../../../crypto/digest.js';
import type { Report } from '../report.js';
import type { SourceObject } from '../source-object.js';

/** Secrets are compared by a fast hash, which is safe for those that cannot be guessed: a UUID has 122 bits. */
const MIN_SECRET_CHARACTERS = 32;

/** SHA-256, in base64: the client keeps its secret. */
export async function secretHashOf(client: SourceObject, clientId: string, _realm: string, report: Report): Promise<string | undefined> {
  const secret = client.text('secret');
  const isMasked = /^\*+$/.test(secret) || secret.startsWith('${');
  if (secret === '' || isMasked) report.lose('Clients whose secret the export does not hold: generate another', clientId);
  else if (secret.length < MIN_SECRET_CHARACTERS) report.lose(`Clients whose secret has fewer than ${MIN_SECRET_CHARACTERS} characters: generate another`, clientId);
  else return sha256(secret).toString('base64');
  return Promise.resolve(undefined);
}
