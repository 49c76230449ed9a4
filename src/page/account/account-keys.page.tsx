import type { VNode } from 'preact';
import type { NamedKey } from '../../user/factor/key-names.js';
import { fill } from '../catalogue/catalogue.js';
import type { InPage } from '../part/context.js';
import type { FormTarget } from '../part/form.js';
import { Form } from '../part/form.js';
import type { FormErrors } from '../part/form-error.js';
import { ErrorNotice } from '../part/form-error.js';
import { keyNote, keyTitle } from '../part/key-words.js';
import { KeysElsewhere } from '../part/keys-elsewhere.js';
import { Moment } from '../part/moment.js';
import { type AccountFrame, AccountLayout } from './account-layout.js';

/** The field `decision` of the forms. */
export type AccountKeyDecision = 'add-passkey' | 'add-u2f' | 'rename' | 'remove';

export interface AccountKey extends NamedKey {
  readonly id: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly backedUp: boolean;
  /** Whether the key was made for this domain. */
  readonly worksHere: boolean;
}

export interface AccountKeysProps {
  readonly frame: AccountFrame;
  readonly target: FormTarget;
  readonly keys: readonly AccountKey[];
  /** The kinds of keys that the organization allows. */
  readonly addable: ReadonlyArray<AccountKey['kind']>;
  /** The list of keys that the browser may pass on to its password manager, as JSON. */
  readonly signals?: string | undefined;
  readonly errors?: FormErrors<never>;
}

export function AccountKeysPage({ context, texts, frame, ...props }: InPage<AccountKeysProps>): VNode {
  const words = texts.accountKeys;
  const { keys, addable, target, signals, errors } = props;
  const date = (at: Date): VNode => <Moment context={context} at={at} to="day" timeZone={frame.timeZone} />;
  return (
    <AccountLayout
      context={context}
      texts={texts}
      frame={frame}
      section="keys"
      lead={keys.length === 0 ? words.none : words.what}
      hasErrors={Boolean(errors?.length)}
    >
      <ErrorNotice errors={errors} texts={texts} />
      {keys.some(({ worksHere }) => !worksHere) && <KeysElsewhere texts={texts} />}
      {keys.length > 0 && (
        <ul class="panel account-items">
          {keys.map((key) => {
            const title = keyTitle(key, texts);
            const note = key.worksHere ? keyNote(key, texts) : words.elsewhere;
            return (
              <li>
                <div>
                  <p>
                    <strong>
                      <bdi>{title}</bdi>
                    </strong>
                    {note !== undefined && <span class="quiet">{note}</span>}
                  </p>
                  <dl class="account-facts">
                    <dt>{texts.accountApplications.since}</dt>
                    <dd>{date(key.createdAt)}</dd>
                    {key.lastUsedAt !== null && (
                      <>
                        <dt>{texts.accountApplications.last}</dt>
                        <dd>{date(key.lastUsedAt)}</dd>
                      </>
                    )}
                  </dl>
                </div>
                <Form target={{ ...target, fields: { key: key.id } }}>
                  <button type="submit" class="button button-quiet" name="decision" value="rename">
                    {fill(words.rename, { title })}
                  </button>
                  <button type="submit" class="button button-quiet" name="decision" value="remove">
                    {fill(texts.accountPage.removeThing, { title })}
                  </button>
                </Form>
              </li>
            );
          })}
        </ul>
      )}
      {addable.length > 0 && (
        <Form target={target}>
          {addable.map((kind) => (
            <button type="submit" class="button button-quiet" name="decision" value={`add-${kind}`}>
              {kind === 'passkey' ? texts.passkeyOffer.submit : texts.keySetUp.u2f}
            </button>
          ))}
        </Form>
      )}
      {signals !== undefined && <div data-signals={signals} hidden></div>}
    </AccountLayout>
  );
}
