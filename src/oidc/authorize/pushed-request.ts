import { Injectable } from '@nestjs/common';
import { newId } from '../../foundation/crypto/id.js';
import { TokenSeal } from '../../foundation/crypto/token-seal.js';
import { Form } from '../../foundation/http/form.js';
import { Clock } from '../../foundation/time/clock.js';
import type { Client } from '../../project/client/client.js';
import { refusal } from '../oidc.errors.js';
import { RESOURCE } from '../requested-resources.js';

/** RFC 9126 §2.2. */
const URN = 'urn:ietf:params:oauth:request_uri:';

/** Long enough for a redirect; the pages that follow have their own time. */
const LIFETIME_SECONDS = 90;

/** Sealed and in base64, it must fit into an address beside its headers. */
const MAX_BYTES = 4_000;

/** Parameters of the push itself. The request must not contain them, least of all the credentials. */
const OF_THE_PUSH = new Set(['client_id', 'client_secret', 'client_assertion', 'client_assertion_type', 'request']);

/** A request as its client has pushed it. */
export interface PushedRequest {
  /** The id of the push, which is answered only once: see `AuthRequestRow.pushedId`. */
  readonly id: string;
  readonly clientEpoch: string;
  readonly expiresAt: Date;
  readonly isSigned: boolean;
  readonly form: Form;
}

interface Payload {
  readonly i: string;
  readonly c: string;
  readonly e: number;
  readonly s: boolean;
  readonly p: string;
}

/**
 * Pushed authorization requests (RFC 9126). The `request_uri` contains the request, sealed: nothing is stored before a
 * user has signed in ([record 65](../../../docs/adr/0065-authorization-requests.md)).
 */
@Injectable()
export class PushedRequests {
  constructor(
    private readonly tokenSeal: TokenSeal,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError InvalidArgument `body.too_large` */
  push(
    client: Client,
    form: Form,
    { isSigned }: { readonly isSigned: boolean },
  ): { readonly requestUri: string; readonly expiresInSeconds: number } {
    const parameters = textOf(form);
    if (Buffer.byteLength(parameters) > MAX_BYTES) throw refusal.pushedRequestTooLong(MAX_BYTES);
    const payload: Payload = {
      i: newId(),
      c: client.clientEpoch,
      e: this.clock.nowSeconds() + LIFETIME_SECONDS,
      s: isSigned,
      p: parameters,
    };
    const sealed = this.tokenSeal.seal('pushed', Buffer.from(JSON.stringify(payload)));
    return { requestUri: URN + sealed, expiresInSeconds: LIFETIME_SECONDS };
  }

  isPushed(requestUri: string | undefined): requestUri is string {
    return requestUri?.startsWith(URN) === true;
  }

  /** Undefined for anything that was not made here. */
  open(requestUri: string): PushedRequest | undefined {
    const opened = this.tokenSeal.open('pushed', requestUri.slice(URN.length));
    if (!opened) return undefined;
    const { i, c, e, s, p } = JSON.parse(opened.toString()) as Payload;
    return { id: i, clientEpoch: c, expiresAt: new Date(e * 1000), isSigned: s, form: Form.parse(p) };
  }
}

/** The pushed parameters without the credentials, and with the id of the client that has authenticated. */
export function withoutCredentials(client: Client, form: Form): Form {
  const names = form.names.filter((name) => !OF_THE_PUSH.has(name));
  return Form.parse(new URLSearchParams([['client_id', client.id], ...pairsOf(form, names)]).toString());
}

/** The parameters as one text. */
export function textOf(form: Form): string {
  return new URLSearchParams(pairsOf(form, form.names)).toString();
}

/** The parameters of a form with another value of one of them, or without it. */
export function withValue(form: Form, name: string, value: string | undefined): Form {
  const others = pairsOf(
    form,
    form.names.filter((one) => one !== name),
  );
  return Form.parse(new URLSearchParams(value === undefined ? others : [...others, [name, value]]).toString());
}

function pairsOf(form: Form, names: readonly string[]): string[][] {
  return names.flatMap((name) => {
    const values = name === RESOURCE ? (form.all(name) ?? []) : [form.find(name) ?? ''];
    return values.map((value) => [name, value]);
  });
}
