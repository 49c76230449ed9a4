import type { VNode } from 'preact';
import { directionOf } from '../foundation/language/language-tag.js';
import { inputsOf, type StepInput, type StepPage, type StepPart } from '../session/auth-request/step-page.js';
import { Account, type Person } from './part/account.js';
import { QuietButton, SubmitButton } from './part/button.js';
import type { InPage } from './part/context.js';
import { ExtText } from './part/ext-text.js';
import { Field } from './part/field.js';
import type { FormTarget } from './part/form.js';
import { Form } from './part/form.js';
import { ErrorNotice, errorId, type FormErrors } from './part/form-error.js';
import { Heading } from './part/heading.js';
import { Layout } from './part/layout.js';
import { Select } from './part/select.js';

/** The form field `decision`. */
export type ExtStepDecision = 'continue' | 'decline';

export interface ExtStepProps {
  readonly form: FormTarget;
  readonly person: Person;
  readonly content: StepPage;
  /** The language of the content, if it is not that of the page. */
  readonly language?: string | undefined;
  /** The problem with the form in the words of the step, and the field if it concerns one. */
  readonly problem?: { readonly text: string; readonly field?: string | undefined } | undefined;
  readonly errors?: FormErrors<never>;
}

const KEYBOARDS = { text: 'text', email: 'email', phone: 'phone', digits: 'oneTimeCode' } as const;

/** A login step of an extension. Everything of it is content; the form and its buttons are ours. */
export function ExtStepPage({ context, texts, ...props }: InPage<ExtStepProps>): VNode {
  const { content, language, problem, errors } = props;
  const { title, body, submit, decline } = content;
  const inputs = inputsOf(body);
  const faulty = inputs.find(({ name }) => name === problem?.field)?.name;
  // A box to tick gets no focus: readers would be taken past the text that it is about.
  const focus = faulty ?? inputs.find(({ kind }) => kind === 'field')?.name;
  return (
    <Layout context={context} texts={texts} title={title} hasErrors={problem !== undefined || Boolean(errors?.length)}>
      <div class="ext-step" lang={language} dir={language === undefined ? undefined : directionOf(language)}>
        <Heading title={title} />
        <ErrorNotice errors={errors} texts={texts} />
        {problem !== undefined && (
          <div class="notice notice-error" role="alert">
            <p id={errorId(faulty ?? 'form')}>{problem.text}</p>
          </div>
        )}
        <div class="panel">
          <Account person={props.person} />
        </div>
        <Form target={props.form}>
          {body.map((part) => (
            <Part part={part} isFaulty={'name' in part && part.name === faulty} focus={focus} />
          ))}
          <SubmitButton name="decision" value={'continue' satisfies ExtStepDecision}>
            {submit}
          </SubmitButton>
          {decline !== undefined && (
            <QuietButton name="decision" value={'decline' satisfies ExtStepDecision} skipsFields>
              {decline}
            </QuietButton>
          )}
        </Form>
      </div>
    </Layout>
  );
}

interface PartProps<Kind extends StepPart> {
  readonly part: Kind;
  /** The notice above says what is wrong with it. */
  readonly isFaulty: boolean;
  readonly focus: string | undefined;
}

function Part({ part, isFaulty, focus }: PartProps<StepPart>): VNode {
  return 'name' in part ? <Input part={part} isFaulty={isFaulty} focus={focus} /> : <ExtText part={part} />;
}

function Input({ part, isFaulty, focus }: PartProps<StepInput>): VNode {
  const { name, label } = part;
  switch (part.kind) {
    case 'check':
      return (
        <div class="check">
          <input
            type="checkbox"
            id={name}
            name={name}
            value="on"
            required={part.optional !== true}
            aria-invalid={isFaulty ? 'true' : undefined}
            aria-describedby={isFaulty ? errorId(name) : undefined}
          />
          <label for={name}>{label}</label>
        </div>
      );
    case 'field':
      return (
        <Field
          kind={KEYBOARDS[part.keyboard ?? 'text']}
          name={name}
          label={label}
          hint={part.hint}
          value={part.value}
          autocomplete="off"
          optional={part.optional === true}
          error={isFaulty ? '' : undefined}
          showError={false}
          focus={name === focus}
        />
      );
    case 'choice':
      return (
        <Select
          name={name}
          label={label}
          value={part.value ?? part.options[0]!.value}
          hint={part.hint}
          options={part.options}
        />
      );
  }
}
