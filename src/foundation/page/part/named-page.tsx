import type { ComponentChildren, VNode } from 'preact';
import type { InPage } from '../context.js';
import type { OwnPath } from '../paths.js';
import { TypedName } from './account.js';
import type { FormErrors } from './form-error.js';
import { ErrorNotice } from './form-error.js';
import { Heading } from './heading.js';
import { Layout } from './layout.js';

/** What every page has that is about one user. */
export interface NamedPageProps<Field extends string = never> {
  /** As typed, or of the account that this browser knows. */
  readonly loginName: string;
  readonly otherAccountHref: OwnPath;
  readonly errors?: FormErrors<Field>;
}

interface Frame extends NamedPageProps<string> {
  readonly title: string;
  /** What the page is about; below the title. */
  readonly what: ComponentChildren;
  /** The words of the way to another account. */
  readonly notYou: string;
  readonly children: ComponentChildren;
}

/** A page about one user, whose name stands above the forms. */
export function NamedPage({ context, texts, title, what, notYou, children, ...props }: InPage<Frame>): VNode {
  return (
    <Layout context={context} texts={texts} title={title} hasErrors={Boolean(props.errors?.length)}>
      <Heading title={title}>{what}</Heading>
      <TypedName context={context} loginName={props.loginName} otherHref={props.otherAccountHref} otherText={notYou} />
      <ErrorNotice errors={props.errors} texts={texts} />
      {children}
    </Layout>
  );
}
