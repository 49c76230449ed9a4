import type { VNode } from 'preact';
import type { InPage } from './context.js';
import { TypedName } from './part/account.js';
import type { FormErrors } from './part/form-error.js';
import { ErrorNotice } from './part/form-error.js';
import { Heading } from './part/heading.js';
import { KeyForm, type KeyRequest, NeedsScript } from './part/key-form.js';
import { Layout } from './part/layout.js';
import type { OwnPath } from './paths.js';
import { type OtherFactor, OtherFactors } from './second-factor.page.js';

export interface SecurityKeyProps {
  readonly passkey: KeyRequest;
  readonly loginName: string;
  readonly otherAccountHref: OwnPath;
  /** Other second factors. */
  readonly others: readonly OtherFactor[];
  readonly errors?: FormErrors<never>;
}

/** A security key as the second factor. */
export function SecurityKeyPage({ context, texts, ...props }: InPage<SecurityKeyProps>): VNode {
  const words = texts.securityKey;
  return (
    <Layout context={context} texts={texts} title={words.title} hasErrors={Boolean(props.errors?.length)}>
      <Heading title={words.title}>{words.what}</Heading>
      <TypedName
        context={context}
        loginName={props.loginName}
        otherHref={props.otherAccountHref}
        otherText={texts.secondFactor.notYou}
      />
      <ErrorNotice errors={props.errors} texts={texts} />
      <KeyForm request={props.passkey} texts={texts} submit={texts.passkey.submit} />
      <NeedsScript texts={texts} />
      <OtherFactors context={context} texts={texts} others={props.others} />
    </Layout>
  );
}
