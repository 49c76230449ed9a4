import { ReadableStream } from 'node:stream/web';
import { Injectable } from '@nestjs/common';
import { type ExtObjectStore, ObjectExists, ObjectMissing } from '../../../src/migration/storage/object-store.js';
import { HrSettings } from './vault-settings.js';

/** Files in a folder by WebDAV (RFC 4918). */
@Injectable()
export class Vault implements ExtObjectStore {
  readonly name = 'vault';

  constructor(private readonly settings: HrSettings) {}

  async write(path: string, content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
    const draft = `drafts/${crypto.randomUUID()}`;
    try {
      const body = ReadableStream.from(content);
      await this.ask('PUT', draft, { body, duplex: 'half', signal });
      const headers = { Destination: this.address(path), Overwrite: 'F' };
      const moved = await this.ask('MOVE', draft, { headers, signal }, [412]);
      if (moved.status === 412) throw new ObjectExists(path);
    } catch (error) {
      await this.ask('DELETE', draft, { signal: AbortSignal.timeout(5_000) }, [404]).catch(() => undefined);
      throw error;
    }
  }

  async read(path: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const answer = await this.ask('GET', path, { signal }, [404]);
    if (answer.status === 404) throw new ObjectMissing(path);
    return answer.body!;
  }

  private async ask(method: string, path: string, more: object, expected: readonly number[] = []): Promise<Response> {
    const headers = { Authorization: `Bearer ${this.settings.key.reveal()}` };
    const given = more as { readonly headers?: Record<string, string> };
    const answer = await fetch(this.address(path), { ...more, method, headers: { ...given.headers, ...headers } });
    if (!answer.ok && !expected.includes(answer.status))
      throw new Error(`${method} has been answered ${answer.status}.`);
    return answer;
  }

  private address(path: string): string {
    return `${this.settings.folder}/${path.split('/').map(encodeURIComponent).join('/')}`;
  }
}
