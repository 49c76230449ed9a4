import type { VNode } from 'preact';
import type { ServicePath } from '../org/instance/paths.js';
import { SubmitButton } from './part/button.js';
import type { InPage } from './part/context.js';
import { Heading } from './part/heading.js';
import { Layout } from './part/layout.js';

export interface FormPostProps {
  /** The validated redirect URI. */
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Submits the form at once, where scripts run; the button does it everywhere else. */
  readonly script: ServicePath;
}

/** OAuth 2.0 Form Post Response Mode §2: the answer travels in a form of ours to the application. */
export function FormPostPage({ context, texts, action, fields, script }: InPage<FormPostProps>): VNode {
  const words = texts.formPost;
  return (
    <Layout context={context} texts={texts} title={words.title}>
      <Heading title={words.title}>{words.what}</Heading>
      <form class="form" method="post" action={action}>
        {Object.entries(fields).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <SubmitButton>{words.submit}</SubmitButton>
      </form>
      <script src={script} defer></script>
    </Layout>
  );
}
