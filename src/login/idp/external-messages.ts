import { Injectable } from '@nestjs/common';
import type { Request as ExpressRequest } from 'express';
import { DomainError } from '../../foundation/error/domain-error.js';
import type { Form } from '../../foundation/http/form.js';
import { addressOf, readForm } from '../../foundation/http/request.js';
import { Logger } from '../../foundation/log/logger.js';
import { ExtKindSignIn } from '../../idp/ext-kind-sign-in.js';
import { ExtKinds } from '../../idp/ext-kinds.js';
import type { Idp } from '../../idp/idp.entity.js';
import { IdpService } from '../../idp/idp.service.js';
import type { IdpMessageForm } from '../../idp/idp-kind.js';
import { IdpLogins, type SentIdpLogin } from '../../idp/idp-logins.js';
import { MESSAGE_REFUSALS, type MessageRefusal, type ProviderAnswer } from '../../idp/provider-kind.js';
import { externalUnknown } from '../login.errors.js';
import { TurnRate } from './turn-rate.js';

/** A provider that answers with messages, and how they look. */
export interface Awaited {
  readonly idp: Idp;
  readonly form: IdpMessageForm;
}

/** With what the browser goes on to the address where its cookie is seen. */
export interface Onward {
  readonly state: string;
  readonly refused?: MessageRefusal;
}

/** Longer values of a state cannot have come from here. */
const MAX_STATE_CHARACTERS = 200;

const REFUSALS: Readonly<Record<string, MessageRefusal>> = {
  'idp.answer_refused': 'answer',
  'idp.declined': 'nobody',
  'idp.provider_failed': 'provider',
};

/**
 * Messages of providers that answer with no code (`IdpKind.message`). A form of another site comes without our cookie:
 * it is read once, what it proves is kept at the turn, and the browser goes on with a new state to an address where its
 * cookie says whether it is the one that left. Whoever posts learns nothing else (IDP-051).
 */
@Injectable()
export class ExternalMessages {
  constructor(
    private readonly idps: IdpService,
    private readonly kinds: ExtKinds,
    private readonly own: ExtKindSignIn,
    private readonly logins: IdpLogins,
    private readonly rate: TurnRate,
    private readonly log: Logger,
  ) {}

  /** Undefined if the provider is not active, or answers with a code. */
  async awaitedFrom(idpId: string): Promise<Awaited | undefined> {
    // What most have: no look at the database for it.
    if (!this.kinds.readMessages) return undefined;
    const idp = await this.idps.findActive(idpId);
    const form = idp && this.kinds.findSite(idp.type)?.part.message;
    return idp && form && { idp, form };
  }

  /**
   * Reads the message in a form.
   * @throws DomainError FailedPrecondition `login.external_unknown`; ResourceExhausted `request.too_many`; as
   * `readForm`
   */
  async receive({ idp, form }: Awaited, http: ExpressRequest): Promise<Onward> {
    this.rate.countMessage(addressOf(http));
    const sent = await readForm(http, form.maxBytes);
    const fields = fieldsOf(sent, form);
    const found = await this.logins.takeMessage(idp.id, stateOf(sent, form.state));
    if (!found) throw externalUnknown();
    const refused = await this.keepWhatIsProved(idp, fields, found.login, http);
    return refused === undefined ? { state: found.next } : { state: found.next, refused };
  }

  /**
   * What a browser brings with its cookie: the state that it got for a form, or a message in the query.
   * @throws DomainError FailedPrecondition `login.external_unknown`
   */
  inQuery({ form }: Awaited, query: Form): ProviderAnswer {
    const name = query.isGiven('state') ? 'state' : form.state;
    const message = fieldsOf(query, form);
    return {
      state: stateOf(query, name),
      refused: MESSAGE_REFUSALS.find((one) => one === query.find('refused')),
      ...(Object.keys(message).length === 0 ? {} : { message }),
    };
  }

  private async keepWhatIsProved(
    idp: Idp,
    fields: Readonly<Record<string, string>>,
    login: SentIdpLogin,
    http: ExpressRequest,
  ): Promise<MessageRefusal | undefined> {
    try {
      await this.logins.keep(login.id, await this.own.readMessage(idp, { by: 'form', fields }, login));
      return undefined;
    } catch (error) {
      const refusal = error instanceof DomainError ? REFUSALS[error.reason] : undefined;
      if (!(error instanceof DomainError) || !refusal) throw error;
      const detail = typeof error.cause === 'string' ? { detail: error.cause } : {};
      this.log.warn(
        { reason: error.reason, ...detail, idpId: idp.id, path: http.path, address: addressOf(http) },
        'refused',
      );
      return refusal;
    }
  }
}

/** @throws DomainError FailedPrecondition `login.external_unknown` if a field is repeated or malformed */
function fieldsOf(sent: Form, { fields }: IdpMessageForm): Readonly<Record<string, string>> {
  const given = fields.filter((name) => sent.isGiven(name));
  if (given.some((name) => sent.problemOf(name) !== undefined)) throw externalUnknown();
  return Object.fromEntries(given.map((name) => [name, sent.find(name) ?? '']));
}

function stateOf(sent: Form, name: string): string {
  const state = sent.find(name);
  if (state === undefined || state.length > MAX_STATE_CHARACTERS) throw externalUnknown();
  return state;
}
