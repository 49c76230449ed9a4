import { Injectable } from '@nestjs/common';
import { Clock, type IdpHttp, type JsonObject } from 'gatehouse';
import { objectIn } from '../answer/json-answer.js';

/** Where a document is, and for which provider: what one has fetched is not answered to another. */
export interface DocumentPlace {
  readonly providerId: string;
  readonly url: string;
}

interface Kept {
  readonly document: JsonObject;
  readonly at: number;
}

const FRESH_MS = 5 * 60_000;
/** While the provider does not answer. */
const USABLE_MS = 60 * 60_000;
/** More than an instance has; the oldest goes. */
const MOST = 1_000;

/** Documents that providers publish, kept in this process for five minutes. */
@Injectable()
export class KeptDocuments {
  private readonly kept = new Map<string, Kept>();

  constructor(private readonly clock: Clock) {}

  /**
   * @param freshMs how old it may be
   * @throws Error if the provider does not answer with a JSON object, and has not done so for an hour
   */
  async get(place: DocumentPlace, http: IdpHttp, freshMs = FRESH_MS): Promise<JsonObject> {
    const key = `${place.providerId} ${place.url}`;
    const kept = this.kept.get(key);
    const age = kept === undefined ? Infinity : this.clock.now().getTime() - kept.at;
    if (kept !== undefined && age >= 0 && age <= freshMs) return kept.document;
    try {
      const document = await fetchDocument(place.url, http);
      this.keep(key, document);
      return document;
    } catch (error) {
      if (kept !== undefined && age <= USABLE_MS) return kept.document;
      throw error;
    }
  }

  private keep(key: string, document: JsonObject): void {
    this.kept.delete(key);
    const [oldest] = this.kept.keys();
    if (this.kept.size >= MOST && oldest !== undefined) this.kept.delete(oldest);
    this.kept.set(key, { document, at: this.clock.now().getTime() });
  }
}

async function fetchDocument(url: string, http: IdpHttp): Promise<JsonObject> {
  const answer = await http.send({ url, headers: { Accept: 'application/json' } });
  if (answer.status !== 200) throw new Error(`${url} is answered with the status ${answer.status}.`);
  return objectIn(answer);
}
