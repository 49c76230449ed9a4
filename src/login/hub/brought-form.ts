import { Injectable } from '@nestjs/common';
import { TokenSeal } from '../../foundation/crypto/token-seal.js';
import type { Form } from '../../foundation/http/form.js';
import { ExtKinds } from '../../idp/ext-kinds.js';
import { externalUnknown } from '../login.errors.js';

type Fields = Readonly<Record<string, string>>;

/** Of all fields together: what they are sealed into must fit in an address. */
const MAX_BYTES = 2_000;

/**
 * What kinds of extensions read of the form of an answer (`IdpKind.formFields`), on its way from the cross-site POST to
 * the GET that has our cookie. It may say who somebody is, so in the address it is sealed: in no history and no log.
 */
@Injectable()
export class BroughtForm {
  constructor(
    private readonly kinds: ExtKinds,
    private readonly seals: TokenSeal,
  ) {}

  /**
   * Undefined if there is nothing to carry.
   * @throws DomainError FailedPrecondition `login.external_unknown` if a field is repeated or malformed, or they are
   * too long
   */
  seal(form: Form, state: string): string | undefined {
    const given = this.kinds.formFields.filter((name) => form.isGiven(name));
    if (given.length === 0) return undefined;
    if (given.some((name) => form.problemOf(name) !== undefined)) throw externalUnknown();
    const fields = Object.fromEntries(given.map((name) => [name, form.find(name) ?? '']));
    if (Buffer.byteLength(Object.values(fields).join('')) > MAX_BYTES) throw externalUnknown();
    return this.seals.seal('brought', Buffer.from(JSON.stringify([state, fields])));
  }

  /**
   * What came with this state.
   * @throws DomainError FailedPrecondition `login.external_unknown` if it is not what was sealed with it
   */
  open(sealed: string | undefined, state: string): Fields {
    if (sealed === undefined) return {};
    const opened = this.seals.open('brought', sealed);
    if (!opened) throw externalUnknown();
    const [of, fields] = JSON.parse(opened.toString()) as [string, Fields];
    if (of !== state) throw externalUnknown();
    return fields;
  }
}
