import { type Reply, send } from '../support/http.js';
import { bearer } from '../support/relying-party.js';
import type { World } from '../support/world.js';
import { Callers } from './callers.js';

export interface FoundTexts {
  readonly details: {
    readonly sequence: string;
    readonly creationDate: string;
    readonly changeDate: string;
    readonly resourceOwner: string;
  };
  readonly isDefault: boolean;
  readonly [part: string]: unknown;
}

export const PARTS = ['title', 'preHeader', 'subject', 'greeting', 'text', 'buttonText', 'footerText'];

/** The two levels at which texts are written, and a caller who may at each. */
export const LEVELS = ['/admin/v1/text', '/management/v1/text'] as const;

/** The administrative API of texts, called with a token; by default with that of an owner of the instance. */
export class TextApi {
  private constructor(
    readonly world: World,
    readonly owner: string,
  ) {}

  static async of(world: World): Promise<TextApi> {
    const { pat } = await new Callers(world).service(['IAM_OWNER']);
    return new TextApi(world, pat);
  }

  async get(path: string, token = this.owner, orgId?: string): Promise<Reply> {
    return this.ask('GET', path, undefined, token, orgId);
  }

  async put(path: string, body: unknown, token = this.owner, orgId?: string): Promise<Reply> {
    return this.ask('PUT', path, body, token, orgId);
  }

  async post(path: string, body: unknown, token = this.owner, orgId?: string): Promise<Reply> {
    return this.ask('POST', path, body, token, orgId);
  }

  async remove(path: string, token = this.owner, orgId?: string): Promise<Reply> {
    return this.ask('DELETE', path, undefined, token, orgId);
  }

  /** The texts that a path answers. */
  async read(path: string, token = this.owner, orgId?: string): Promise<FoundTexts> {
    const reply = await this.get(path, token, orgId);
    if (reply.status !== 200) throw new Error(`${reply.request} answered ${reply.status}: ${reply.text}`);
    return reply.json<{ customText: FoundTexts }>().customText;
  }

  private async ask(
    method: string,
    path: string,
    body: unknown,
    token: string,
    orgId: string | undefined,
  ): Promise<Reply> {
    const headers = {
      ...bearer(token),
      ...(orgId === undefined ? {} : { 'x-service-orgid': orgId }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    };
    return send(this.world.origin, {
      method,
      path,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }
}

/** Status and code of a refusal, and the fields that it names. */
export function refusalOf(reply: Reply): { status: number; code: unknown; fields: string[] } {
  const { code, details } = reply.json<{
    code: unknown;
    details?: Array<{ fieldViolations?: Array<{ field: string }> }>;
  }>();
  return {
    status: reply.status,
    code,
    fields: (details ?? []).flatMap(({ fieldViolations = [] }) => fieldViolations.map(({ field }) => field)),
  };
}
