import type { Form } from '../../foundation/http/form.js';
import type { Visit } from '../visit.js';

/** Binds a form by which a person agrees to the application as shown, to the last change of its settings. */
export function shownIn({ client }: Visit): Readonly<Record<string, string>> {
  return { shown: client.version };
}

/**
 * Whether the application is still what the page was about. Its redirect URIs, or what it may do, can change while the
 * page is open: then the person is asked again.
 */
export function isAsShown({ client }: Visit, form: Form): boolean {
  return (form.find('shown') ?? '') === client.version;
}
