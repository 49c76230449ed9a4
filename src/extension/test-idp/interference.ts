import type { IncomingMessage, ServerResponse } from 'node:http';
import { decodeJwt } from 'jose';
import { ClientService } from '../../project/client/client.service.js';
import { isLoopbackUri } from '../../project/client/metadata/client-metadata.js';
import { AccessTokens } from '../../token/access-tokens.js';
import { KeyService } from '../../token/key/key.service.js';
import { EDITOR } from '../testing/builders.js';
import { paths } from '../testing/relying-party.js';
import type { RunningService } from '../testing/running-service.js';
import type { Cast, CastApplication } from './cast.js';
import { type ArmedFault, Fault, type FaultEndpoint, type FaultKind, type FaultOptions } from './fault.js';
import { FaultyTokens } from './faulty-tokens.js';
import type { Behind, Form } from './front.js';
import { inputMistake } from './input-mistake.js';

export type Control = (request: IncomingMessage, response: ServerResponse) => boolean;

/** What it needs of the service. */
export interface Served extends Pick<RunningService, 'get' | 'transaction'> {
  readonly cast: Cast;
}

/** What the front does to requests and answers: the faults that were asked for, and addresses that are learned. */
export class Interference implements Behind {
  private faults: Fault[] = [];
  private learned = new Set<string>();
  private served: Served | undefined;
  private surface: Control = () => false;

  /** From now on it interferes. */
  serve(served: Served, control: Control): void {
    this.served = served;
    this.surface = control;
  }

  control(request: IncomingMessage, response: ServerResponse): boolean {
    return this.surface(request, response);
  }

  /** @throws InputMistake */
  arm(kind: FaultKind, options: FaultOptions): ArmedFault {
    const { application } = options;
    if (application !== undefined && !this.applications.some(({ name }) => name === application))
      throw inputMistake(`There is no application "${application}".`);
    const fault = new Fault(kind, options);
    this.faults.push(fault);
    return fault.toArmed();
  }

  armed(): readonly ArmedFault[] {
    return this.faults.map((fault) => fault.toArmed());
  }

  disarm(): void {
    this.faults = [];
  }

  forget(): void {
    this.disarm();
    this.learned = new Set();
  }

  isAnyArmed(endpoints: readonly FaultEndpoint[]): boolean {
    return endpoints.length > 0 && this.faults.some((fault) => !fault.isOver && endpoints.includes(fault.endpoint));
  }

  async due(endpoints: readonly FaultEndpoint[], form: Form): Promise<readonly Fault[]> {
    const isLimited = this.faults.some(({ application }) => application !== undefined);
    const application = isLimited ? await this.applicationOf(form) : undefined;
    const due = this.faults.filter((fault) => fault.isDue(endpoints, application?.name));
    for (const fault of due) fault.happened += 1;
    return due;
  }

  async changeTokens(
    answer: Readonly<Record<string, unknown>>,
    faults: readonly Fault[],
  ): Promise<Readonly<Record<string, unknown>>> {
    return new FaultyTokens(this.served!.get(KeyService)).change(answer, faults);
  }

  get learns(): boolean {
    return this.applications.some(({ anyLoopback }) => anyLoopback);
  }

  /** Registers an address of this machine with an application that takes every one. */
  async learn(path: string, { parameters, authorization }: Form): Promise<void> {
    const [member, uri] =
      path === paths.endSession
        ? (['postLogoutRedirectUris', parameters.get('post_logout_redirect_uri')] as const)
        : (['redirectUris', parameters.get('redirect_uri')] as const);
    const clientId = clientIn(parameters, authorization) ?? clientOfToken(parameters.get('id_token_hint'));
    const application = this.byClientId(clientId);
    if (uri === null || application?.anyLoopback !== true || !isLoopbackUri(uri)) return;
    const key = JSON.stringify([clientId, member, uri]);
    if (this.learned.has(key)) return;
    const clients = this.served!.get(ClientService);
    await this.served!.transaction(async (tx) => {
      const row = await clients.getLocked(tx, application.id);
      if (!row[member].includes(uri))
        await clients.changeSettings(tx, row.id, { [member]: [...row[member], uri] }, EDITOR);
    });
    this.learned.add(key);
  }

  private async applicationOf({ parameters, authorization = '' }: Form): Promise<CastApplication | undefined> {
    const said = clientIn(parameters, authorization);
    if (said !== undefined) return this.byClientId(said);
    const [, token = parameters.get('access_token') ?? ''] = /^(?:bearer|dpop) (\S+)$/i.exec(authorization) ?? [];
    return this.byClientId((await this.served!.get(AccessTokens).read(token))?.clientId);
  }

  private byClientId(clientId: string | undefined): CastApplication | undefined {
    return this.applications.find((application) => application.clientId === clientId);
  }

  private get applications(): readonly CastApplication[] {
    return [...(this.served?.cast.applications.values() ?? [])];
  }
}

/** RFC 6749 §2.3.1, RFC 7523 §2.2. */
function clientIn(parameters: URLSearchParams, authorization = ''): string | undefined {
  const [, basic] = /^basic (\S+)$/i.exec(authorization) ?? [];
  if (basic !== undefined)
    return new URLSearchParams(`id=${Buffer.from(basic, 'base64').toString().split(':', 1)[0]}`).get('id') ?? undefined;
  return parameters.get('client_id') ?? clientOfToken(parameters.get('client_assertion'));
}

/** Only to know which application is meant: the service checks it. */
function clientOfToken(token: string | null): string | undefined {
  if (token === null) return undefined;
  try {
    const { azp, aud, sub } = decodeJwt(token);
    return [azp, aud, sub].find((one): one is string => typeof one === 'string');
  } catch {
    return undefined;
  }
}
