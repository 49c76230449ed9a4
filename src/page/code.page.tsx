import type { VNode } from 'preact';
import type { ServicePath } from '../org/instance/paths.js';
import type { PageTexts } from './catalogue/catalogue.js';
import { QuietButton, SubmitButton } from './part/button.js';
import type { InPage } from './part/context.js';
import { Field, HiddenLoginName } from './part/field.js';
import { Filled } from './part/filled.js';
import type { FormTarget } from './part/form.js';
import { Form } from './part/form.js';
import type { FormErrors } from './part/form-error.js';
import { ErrorSummary, errorOf } from './part/form-error.js';
import { Heading } from './part/heading.js';
import { Layout } from './part/layout.js';
import { PasskeyInstead } from './part/passkey-instead.js';
import type { PasswordRules } from './part/password-rules.js';
import { checkedBy, PasswordRuleList, passwordRulesId } from './part/password-rules.js';
import { Way } from './part/way.js';

/** The names on the wire, in the order of the page. */
const codeFields = ['loginName', 'code', 'password', 'passwordRepeat'] as const;
export type CodeField = (typeof codeFields)[number];
/** The form field that says that the code came with the link. */
export const LINKED = 'linked';
/** The form field `action` of the second button. */
export const RESEND = 'resend';

export type CodePurpose = 'setUp' | 'verifyEmail' | 'passwordNew';

export interface CodeProps {
  readonly purpose: CodePurpose;
  readonly form: FormTarget;
  /** The code from the link of the mail; a person can also type it. */
  readonly code?: string | undefined;
  /** Whether the code came with the link, and nothing is known to be wrong with it: there is no need to see it. */
  readonly isCodeLinked?: boolean | undefined;
  /** The rules, if a password is to be chosen. */
  readonly rules?: PasswordRules | undefined;
  /** Whether a passkey may be created instead of the password. */
  readonly mayUsePasskey?: boolean | undefined;
  /** Whether the password that was chosen before is typed as well. */
  readonly asksPassword?: boolean | undefined;
  /** The address for choosing another password instead. */
  readonly resetHref?: ServicePath | undefined;
  /** The user name for password managers: from the link, or as typed. */
  readonly loginName?: string | undefined;
  /** The user is unknown, and types their name. */
  readonly asksName?: boolean | undefined;
  /** The address to which the mail went, as the person has typed or proved it. */
  readonly email?: string | undefined;
  /** Whether a mail was asked for on the page before, or once more on this one. */
  readonly asked?: 'before' | 'again' | undefined;
  readonly canResend: boolean;
  readonly signInHref?: ServicePath | undefined;
  readonly registerHref?: ServicePath | undefined;
  readonly errors?: FormErrors<CodeField>;
}

/**
 * A code from a mail, and what is chosen with it. Opening the page spends nothing: programs that look at mails open
 * links too.
 */
export function CodePage({ context, texts, ...props }: InPage<CodeProps>): VNode {
  const words = texts[props.purpose];
  const focused = fieldToBegin(props);
  return (
    <Layout context={context} texts={texts} title={words.title} hasErrors={Boolean(props.errors?.length)}>
      <Heading title={words.title}>
        <Introduction {...props} texts={texts} />
      </Heading>
      <ErrorSummary errors={props.errors} texts={texts} />
      {props.asked === 'again' && (
        <div class="notice notice-info" role="status">
          <p>{texts.code.resent}</p>
        </div>
      )}
      <Form target={props.form}>
        {props.asksName === true ? (
          <Field
            kind="loginName"
            name="loginName"
            label={texts.loginName.label}
            value={props.loginName}
            autocomplete="username"
            error={errorOf(props.errors, 'loginName', texts)}
            focus={focused === 'loginName'}
          />
        ) : (
          props.loginName !== undefined && <HiddenLoginName value={props.loginName} />
        )}
        {isHidden(props) ? (
          <>
            <input type="hidden" name="code" value={props.code} />
            <input type="hidden" name={LINKED} value="true" />
          </>
        ) : (
          <Field
            kind="mailedCode"
            name="code"
            label={texts.code.label}
            hint={texts.code.hint}
            value={props.code}
            autocomplete="one-time-code"
            error={errorOf(props.errors, 'code', texts)}
            focus={focused === 'code'}
          />
        )}
        {props.rules !== undefined && <NewPassword {...props} rules={props.rules} texts={texts} focused={focused} />}
        {props.asksPassword === true && (
          <Field
            kind="password"
            name="password"
            label={texts.password.label}
            reveal={texts.password.show}
            autocomplete="current-password"
            error={errorOf(props.errors, 'password', texts)}
            focus={focused === 'password'}
          />
        )}
        <SubmitButton>{words.submit}</SubmitButton>
        {props.mayUsePasskey === true && <PasskeyInstead texts={texts} />}
        {props.canResend && (
          <QuietButton name="action" value={RESEND} skipsFields>
            {texts.code.resend}
          </QuietButton>
        )}
      </Form>
      <Ways {...props} context={context} texts={texts} />
    </Layout>
  );
}

/** Whether the code is hidden: who came by the link only chooses a password, unless the code turns out wrong. */
function isHidden({ isCodeLinked, code, rules, asked, errors = [] }: CodeProps): boolean {
  return (
    isCodeLinked === true &&
    code !== undefined &&
    rules !== undefined &&
    asked === undefined &&
    errors.every(({ field }) => field !== 'code')
  );
}

/** The field in which the cursor stands: the first one with a fault, else the first one that is still empty. */
function fieldToBegin(props: CodeProps): CodeField {
  const { asksName = false, asksPassword = false, code, rules, errors = [] } = props;
  const fault = codeFields.find((field) => errors.some((error) => error.field === field));
  if (fault !== undefined) return fault;
  if (isHidden(props)) return 'password';
  if (asksName && !asksPassword) return 'loginName';
  return code !== undefined && (rules !== undefined || asksPassword) && errors.length === 0 ? 'password' : 'code';
}

type Part = CodeProps & { readonly texts: PageTexts };

function Introduction(props: Part): VNode | null {
  const { purpose, rules, email, asked, loginName, texts } = props;
  if (isHidden(props)) {
    const { whatFor } = texts[purpose === 'setUp' ? 'setUp' : 'passwordNew'];
    return loginName === undefined ? null : <Filled text={whatFor} values={{ account: loginName }} />;
  }
  if (purpose === 'setUp') return <>{rules === undefined ? texts.setUp.codeOnly : texts.setUp.what}</>;
  if (purpose === 'passwordNew') return <>{asked === undefined ? texts.passwordNew.what : texts.passwordNew.sent}</>;
  return email === undefined ? (
    <>{texts.verifyEmail.unnamed}</>
  ) : (
    <Filled text={texts.verifyEmail.what} values={{ email }} />
  );
}

function NewPassword({
  purpose,
  rules,
  errors,
  texts,
  focused,
}: Part & { readonly rules: PasswordRules; readonly focused: CodeField }): VNode {
  const words = texts[purpose === 'setUp' ? 'setUp' : 'passwordNew'];
  const common = (name: 'password' | 'passwordRepeat') => ({
    kind: 'password' as const,
    name,
    label: words[name],
    reveal: texts.password.show,
    autocomplete: 'new-password' as const,
    error: errorOf(errors, name, texts),
    focus: name === focused,
  });
  return (
    <>
      <PasswordRuleList rules={rules} texts={texts} field="password" />
      <Field {...common('password')} describedBy={passwordRulesId} {...checkedBy(rules, texts)} />
      <Field {...common('passwordRepeat')} reveal={undefined} repeats />
    </>
  );
}

function Ways({ context, purpose, signInHref, registerHref, resetHref, texts }: InPage<CodeProps>): VNode | null {
  if (signInHref === undefined && resetHref === undefined) return null;
  const words = texts.verifyEmail;
  return (
    <div class="ways">
      {purpose === 'verifyEmail' && registerHref !== undefined && <p>{words.help}</p>}
      {resetHref !== undefined && (
        <p>
          <Way context={context} to={resetHref}>
            {texts.password.forgot}
          </Way>
        </p>
      )}
      {signInHref !== undefined && (
        <p>
          <Way context={context} to={signInHref}>
            {purpose === 'verifyEmail' ? words.signIn : texts.passwordReset.back}
          </Way>
        </p>
      )}
      {registerHref !== undefined && (
        <p>
          <Way context={context} to={registerHref}>
            {words.register}
          </Way>
        </p>
      )}
    </div>
  );
}
