import type { VNode } from 'preact';
import { nameOrder } from '../../foundation/language/name-order.js';
import { loginLanguages, nameOf } from '../catalogue/catalogue.js';
import { SubmitButton } from '../part/button.js';
import type { InPage } from '../part/context.js';
import { Field } from '../part/field.js';
import type { FormTarget } from '../part/form.js';
import { Form } from '../part/form.js';
import type { FormErrors } from '../part/form-error.js';
import { ErrorSummary, errorOf } from '../part/form-error.js';
import { Select } from '../part/select.js';
import { type AccountFrame, AccountLayout } from './account-layout.js';

/** The names on the wire, in the order of the page. */
export const accountProfileFields = ['firstName', 'lastName', 'nickName', 'displayName', 'language', 'gender'] as const;
export type AccountProfileField = (typeof accountProfileFields)[number];

export interface AccountProfileProps {
  readonly frame: AccountFrame;
  readonly target: FormTarget;
  readonly values: Readonly<Record<AccountProfileField, string>>;
  readonly errors?: FormErrors<AccountProfileField>;
}

export function AccountProfilePage({ context, texts, frame, ...props }: InPage<AccountProfileProps>): VNode {
  const words = texts.accountProfile;
  const { values, errors } = props;
  const order = nameOrder(context.language);
  const faulty = [...order, ...accountProfileFields].find((field) => errors?.some((error) => error.field === field));
  const name = (field: 'firstName' | 'lastName' | 'nickName' | 'displayName') => ({
    kind: 'personName' as const,
    name: field,
    value: values[field],
    error: errorOf(errors, field, texts),
    focus: field === faulty,
  });
  return (
    <AccountLayout context={context} texts={texts} frame={frame} section="profile" hasErrors={Boolean(errors?.length)}>
      <ErrorSummary errors={errors} texts={texts} />
      <Form target={props.target}>
        {order.map((field) => (
          <Field
            {...name(field)}
            label={texts.register[field]}
            autocomplete={field === 'firstName' ? 'given-name' : 'family-name'}
          />
        ))}
        <Field {...name('nickName')} label={words.nickName} autocomplete="nickname" optional />
        <Field
          {...name('displayName')}
          label={words.displayName}
          hint={words.displayNameHint}
          autocomplete="name"
          optional
        />
        <Select
          name="language"
          label={words.language}
          hint={words.languageHint}
          value={values.language}
          options={[
            { value: '', text: words.notSaid },
            ...loginLanguages.map((language) => ({ value: language, text: nameOf(language), lang: language })),
            ...(values.language === '' || loginLanguages.some((language) => language === values.language)
              ? []
              : [{ value: values.language, text: values.language }]),
          ]}
        />
        <Select
          name="gender"
          label={words.gender}
          value={values.gender}
          options={[
            { value: '', text: words.notSaid },
            { value: 'female', text: words.female },
            { value: 'male', text: words.male },
            { value: 'diverse', text: words.diverse },
          ]}
        />
        <SubmitButton>{texts.accountPage.save}</SubmitButton>
      </Form>
    </AccountLayout>
  );
}
