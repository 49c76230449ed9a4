import type { Form } from '../../foundation/http/form.js';
import { paths, type ServicePath } from '../../org/instance/paths.js';

/** Our ids are never longer and contain nothing else. */
const ID = /^[\w.:@-]{1,200}$/;

/**
 * The owner of a code, as given by the link of the mail or typed. None of it is proven, and nothing that a page shows
 * may depend on whether such a user exists.
 */
export interface CodeLink {
  /** The id of the user; empty if a name was typed instead. */
  readonly userId: string;
  /** The address was typed by hand and does not identify a user, so the page asks for the name. */
  readonly asksName: boolean;
  readonly orgId: string;
  readonly loginName: string | undefined;
  /** The link says that there is a password already, so only the code is requested. */
  readonly isPasswordSet: boolean;
  readonly authRequestId: string | undefined;
  readonly code: string | undefined;
}

export function readLink(query: Form): CodeLink {
  const userId = idIn(query, 'userID');
  return {
    userId,
    asksName: userId === '' && query.find('loginname') === undefined,
    orgId: idIn(query, 'orgID'),
    loginName: query.find('loginname') ?? query.find('loginName'),
    isPasswordSet: query.find('passwordset') === 'true',
    authRequestId: query.find('authRequestID'),
    code: query.find('code'),
  };
}

/** The fields of a link that the forms of its page must send back. */
export function fieldsOf({ userId, asksName, orgId, loginName, isPasswordSet }: CodeLink): Record<string, string> {
  const fields = {
    userID: userId,
    orgID: orgId,
    loginname: asksName ? '' : (loginName ?? ''),
    passwordset: isPasswordSet ? 'true' : '',
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
}

/** The address at which the same user requests a mail to get in again. */
export function resetHref(link: CodeLink): ServicePath {
  const { loginName: loginname = '', orgId: orgID } = link;
  const query = new URLSearchParams({ loginname, orgID });
  return `${paths.passwordReset}?${query.toString()}`;
}

function idIn(query: Form, name: string): string {
  const value = query.find(name) ?? '';
  return ID.test(value) ? value : '';
}
