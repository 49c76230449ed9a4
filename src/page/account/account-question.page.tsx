import type { VNode } from 'preact';
import type { ServicePath } from '../../org/instance/paths.js';
import type { PageTexts } from '../catalogue/catalogue.js';
import type { InPage } from '../part/context.js';
import { Filled } from '../part/filled.js';
import type { FormTarget } from '../part/form.js';
import { Form } from '../part/form.js';
import { type AccountFrame, AccountLayout, type AccountSectionName } from './account-layout.js';

/** The field that confirms; without it, the question is asked. */
export const CONFIRMED = 'confirmed';

export interface AccountQuestionProps {
  readonly frame: AccountFrame;
  readonly section: AccountSectionName;
  readonly target: FormTarget;
  readonly question: keyof PageTexts['accountQuestion'];
  /** The name of the thing that would be taken away. */
  readonly thing?: string | undefined;
  readonly backHref: ServicePath;
}

/** Asks before something is taken away. */
export function AccountQuestionPage({ context, texts, frame, ...props }: InPage<AccountQuestionProps>): VNode {
  const { question, thing = '' } = props;
  const words: { readonly title: string; readonly what?: string } = texts.accountQuestion[question];
  const [submit, besides] = DETAILS[question](texts);
  return (
    <AccountLayout
      context={context}
      texts={texts}
      frame={frame}
      section={props.section}
      title={words.title}
      lead={words.what === undefined ? undefined : <Filled text={words.what} values={{ title: thing }} />}
    >
      {besides !== undefined && <p>{besides}</p>}
      <Form target={props.target}>
        <button type="submit" id="submit" class="button button-danger" name={CONFIRMED} value="true">
          {submit}
        </button>
      </Form>
      <a class="button button-quiet" href={props.backHref}>
        {texts.consent.cancel}
      </a>
    </AccountLayout>
  );
}

/** The button of each question, and what else is to be known. */
const DETAILS: Readonly<
  Record<keyof PageTexts['accountQuestion'], (texts: PageTexts) => readonly [submit: string, besides?: string]>
> = {
  removeFactor: (texts) => [texts.accountPage.remove],
  removeKey: (texts) => [texts.accountPage.remove],
  removeLink: (texts) => [texts.accountPage.remove],
  endAccess: (texts) => [texts.accountPage.remove],
  newCodes: (texts) => [texts.accountSteps.newCodes],
  endOne: (texts) => [texts.signedIn.signOut, texts.accountDevices.notice],
  endOthers: (texts) => [texts.signedIn.signOut, texts.accountDevices.notice],
  endAll: (texts) => [texts.signedIn.signOut, texts.accountDevices.notice],
};
