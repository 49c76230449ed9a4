import type { Form } from '../../http/form.js';

/** No id of ours is longer, nor holds anything else; whatever does is nobody's. */
const ID = /^[\w.:@-]{1,200}$/;

/**
 * Whom a code is for, as the link of the mail says it, or as somebody has typed it. Nothing of it is proven, and
 * nothing that a page shows depends on whether there is such a person.
 */
export interface CodeLink {
  /** Empty where the person has typed a name instead. */
  readonly userId: string;
  /** Nothing says whom it is about: the address was typed by hand, and the page asks for the name. */
  readonly asksName: boolean;
  readonly orgId: string;
  readonly loginName: string | undefined;
  /** There is a password already, says the link: then only the code is asked for. */
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

/** What the forms of a page have to bring back of its link. */
export function fieldsOf({ userId, asksName, orgId, loginName, isPasswordSet }: CodeLink): Record<string, string> {
  const fields = {
    userID: userId,
    orgID: orgId,
    loginname: asksName ? '' : (loginName ?? ''),
    passwordset: isPasswordSet ? 'true' : '',
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
}

function idIn(query: Form, name: string): string {
  const value = query.find(name) ?? '';
  return ID.test(value) ? value : '';
}
