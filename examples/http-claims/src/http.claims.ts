import { Injectable } from '@nestjs/common';
import type { ClaimsContributor, ClaimsQuestion, JsonValue } from 'gatehouse';
import { ClaimsSettings } from './claims.settings.js';

type Claims = Readonly<Record<string, JsonValue>>;

const MAX_BYTES = 65_536;

/** Asks a service for the claims of a user, by one request for each token or answer that contains them. */
@Injectable()
export class HttpClaims implements ClaimsContributor {
  readonly scopes: readonly string[];
  readonly claims: readonly string[];
  readonly timeoutMs: number;
  private asked = 0;

  constructor(private readonly settings: ClaimsSettings) {
    this.scopes = [settings.scope];
    this.claims = settings.claims;
    this.timeoutMs = settings.timeoutMs;
  }

  async contribute(question: ClaimsQuestion, signal: AbortSignal): Promise<Claims> {
    // A service that is slow today must not collect requests: their claims would be too late anyway.
    // Not an error: repeated errors pause the contributor for everybody.
    if (this.asked >= this.settings.atOnce) return {};
    this.asked += 1;
    try {
      return await this.ask(question, signal);
    } finally {
      this.asked -= 1;
    }
  }

  private async ask(question: ClaimsQuestion, signal: AbortSignal): Promise<Claims> {
    const response = await fetch(this.settings.url, {
      method: 'POST',
      signal,
      redirect: 'error',
      headers: { Authorization: `Bearer ${this.settings.key.reveal()}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(question),
    });
    if (response.status === 200) return JSON.parse(await textOf(response)) as Claims; // Gatehouse checks what it is
    await response.body?.cancel();
    if (response.status === 404) return {}; // a user of whom the service knows nothing
    throw new Error(`The service answers with the status ${response.status}.`);
  }
}

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Error(`The service answers with more than ${MAX_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
