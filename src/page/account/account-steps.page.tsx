import type { VNode } from 'preact';
import { fill } from '../catalogue/catalogue.js';
import type { InPage } from '../part/context.js';
import type { FormTarget } from '../part/form.js';
import { Form } from '../part/form.js';
import type { FormErrors } from '../part/form-error.js';
import { ErrorNotice } from '../part/form-error.js';
import { type AccountFrame, AccountLayout } from './account-layout.js';

/** The field `factor` of the forms, with the field `decision`. */
export type AccountFactor = 'otp' | 'otp_email';
export type AccountStepDecision = 'add' | 'remove' | 'new-codes';

export interface AccountStepsProps {
  readonly frame: AccountFrame;
  readonly target: FormTarget;
  readonly held: readonly AccountFactor[];
  /** The factors that can be set up. */
  readonly available: readonly AccountFactor[];
  /** Unused recovery codes; undefined without a factor that they substitute for. */
  readonly codesLeft?: number | undefined;
  readonly errors?: FormErrors<never>;
}

export function AccountStepsPage({ context, texts, frame, ...props }: InPage<AccountStepsProps>): VNode {
  const words = texts.accountSteps;
  const { target, errors, codesLeft } = props;
  const isEmpty = props.held.length === 0 && props.available.length === 0 && codesLeft === undefined;
  return (
    <AccountLayout
      context={context}
      texts={texts}
      frame={frame}
      section="steps"
      lead={texts.factorOffer.what}
      hasErrors={Boolean(errors?.length)}
    >
      <ErrorNotice errors={errors} texts={texts} />
      {isEmpty && <p>{words.nothing}</p>}
      <ul class="panel account-items" hidden={isEmpty}>
        {props.held.map((factor) => (
          <li>
            <Item target={target} factor={factor} name={words.names[factor]} decision="remove">
              {fill(texts.accountPage.removeThing, { title: words.names[factor] })}
            </Item>
          </li>
        ))}
        {codesLeft !== undefined && (
          <li>
            <Item
              target={target}
              name={texts.recoveryCodes.list}
              note={fill(words.left, { count: codesLeft })}
              decision="new-codes"
            >
              {words.newCodes}
            </Item>
          </li>
        )}
        {props.available.map((factor) => (
          <li>
            <Item target={target} factor={factor} name={words.names[factor]} note={words.notSetUp} decision="add">
              {fill(words.add, { title: words.names[factor] })}
            </Item>
          </li>
        ))}
      </ul>
    </AccountLayout>
  );
}

interface ItemProps {
  readonly target: FormTarget;
  readonly name: string;
  readonly note?: string;
  readonly factor?: AccountFactor;
  readonly decision: AccountStepDecision;
  readonly children: string;
}

function Item({ target, name, note, factor, decision, children }: ItemProps): VNode {
  return (
    <>
      <p>
        <strong>{name}</strong>
        {note !== undefined && <span class="quiet">{note}</span>}
      </p>
      <Form target={{ ...target, fields: factor === undefined ? {} : { factor } }}>
        <button type="submit" class="button button-quiet" name="decision" value={decision}>
          {children}
        </button>
      </Form>
    </>
  );
}
