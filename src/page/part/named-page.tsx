import type { ComponentChildren, VNode } from 'preact';
import type { ServicePath } from '../../org/instance/paths.js';
import { TypedName } from './account.js';
import type { InPage } from './context.js';
import type { FormErrors } from './form-error.js';
import { ErrorNotice } from './form-error.js';
import { Heading } from './heading.js';
import { Layout } from './layout.js';

/** The props of every page that is about one user. */
export interface NamedPageProps<Field extends string = never> {
  /** The name as typed, or of the account that this browser knows. */
  readonly loginName: string;
  readonly otherAccountHref: ServicePath;
  readonly errors?: FormErrors<Field>;
}

interface Frame {
  /** The props and context of the page that fills it. */
  readonly page: InPage<NamedPageProps<string>>;
  readonly title: string;
  /** The subject of the page, below the title. */
  readonly what: ComponentChildren;
  /** The words of the way to another account. */
  readonly notYou: string;
  readonly children: ComponentChildren;
}

/** A page about one user, whose name stands above the forms. */
export function NamedPage({ page, title, what, notYou, children }: Frame): VNode {
  const { context, texts, errors, loginName, otherAccountHref } = page;
  return (
    <Layout context={context} texts={texts} title={title} hasErrors={Boolean(errors?.length)}>
      <Heading title={title}>{what}</Heading>
      <TypedName context={context} loginName={loginName} otherHref={otherAccountHref} otherText={notYou} />
      <ErrorNotice errors={errors} texts={texts} />
      {children}
    </Layout>
  );
}
