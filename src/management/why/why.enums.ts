import { wireEnum } from '../../foundation/http/wire-enum.js';

// Names and numbers in the administrative API, each with our word. Clients compare them: none gets another meaning.

/** The short answer. */
export const CAN_SIGN_IN = wireEnum('CanSignIn', {
  CAN_SIGN_IN_UNSPECIFIED: [0, 'unspecified'],
  CAN_SIGN_IN_YES: [1, 'yes'],
  CAN_SIGN_IN_YES_AFTER_STEPS: [2, 'yes_after_steps'],
  CAN_SIGN_IN_NO: [3, 'no'],
});

/** By which users prove who they are. */
export const SIGN_IN_METHOD = wireEnum('SignInMethod', {
  SIGN_IN_METHOD_UNSPECIFIED: [0, 'unspecified'],
  SIGN_IN_METHOD_PASSWORD: [1, 'password'],
  SIGN_IN_METHOD_PASSKEY: [2, 'passkey'],
  SIGN_IN_METHOD_PROVIDER: [3, 'provider'],
});

/** What a link does to the sign-in. */
export const LINK_EFFECT = wireEnum('SignInLinkEffect', {
  SIGN_IN_LINK_EFFECT_UNSPECIFIED: [0, 'unspecified'],
  SIGN_IN_LINK_EFFECT_ASKS: [1, 'asks'],
  SIGN_IN_LINK_EFFECT_REFUSES: [2, 'refuses'],
  SIGN_IN_LINK_EFFECT_INFORMS: [3, 'informs'],
});

export const LINK_CODE = wireEnum('SignInLinkCode', {
  SIGN_IN_LINK_CODE_UNSPECIFIED: [0, 'unspecified'],
  // The account and its organization.
  SIGN_IN_LINK_CODE_ORGANIZATION_INACTIVE: [1, 'organization_inactive'],
  SIGN_IN_LINK_CODE_USER_INACTIVE: [2, 'user_inactive'],
  SIGN_IN_LINK_CODE_USER_LOCKED: [3, 'user_locked'],
  SIGN_IN_LINK_CODE_USER_LOCKED_BY_FAILURES: [4, 'user_locked_by_failures'],
  SIGN_IN_LINK_CODE_USER_NOT_SET_UP: [5, 'user_not_set_up'],
  SIGN_IN_LINK_CODE_NOT_PERSON: [6, 'not_person'],
  SIGN_IN_LINK_CODE_LOGIN_NAME_UNKNOWN: [7, 'login_name_unknown'],
  // The application and what it asks for.
  SIGN_IN_LINK_CODE_APPLICATION_UNAVAILABLE: [20, 'application_unavailable'],
  SIGN_IN_LINK_CODE_APPLICATION_INACTIVE: [21, 'application_inactive'],
  SIGN_IN_LINK_CODE_PROJECT_INACTIVE: [22, 'project_inactive'],
  SIGN_IN_LINK_CODE_APPLICATION_ORGANIZATION_INACTIVE: [23, 'application_organization_inactive'],
  SIGN_IN_LINK_CODE_APPLICATION_NOT_FOR_PEOPLE: [24, 'application_not_for_people'],
  SIGN_IN_LINK_CODE_ORGANIZATION_REQUIRED: [25, 'organization_required'],
  SIGN_IN_LINK_CODE_SCOPES_DROPPED: [26, 'scopes_dropped'],
  SIGN_IN_LINK_CODE_PAGE_NOT_WANTED: [27, 'page_not_wanted'],
  // The ways in.
  SIGN_IN_LINK_CODE_PASSWORD_NOT_SET: [40, 'password_not_set'],
  SIGN_IN_LINK_CODE_PASSWORDS_NOT_ALLOWED: [41, 'passwords_not_allowed'],
  SIGN_IN_LINK_CODE_PASSKEY_MISSING: [42, 'passkey_missing'],
  SIGN_IN_LINK_CODE_PASSKEYS_NOT_ALLOWED: [43, 'passkeys_not_allowed'],
  SIGN_IN_LINK_CODE_PASSKEY_OF_OTHER_DOMAIN: [44, 'passkey_of_other_domain'],
  SIGN_IN_LINK_CODE_PROVIDER_UNKNOWN: [45, 'provider_unknown'],
  SIGN_IN_LINK_CODE_PROVIDER_INACTIVE: [46, 'provider_inactive'],
  SIGN_IN_LINK_CODE_PROVIDER_NOT_OFFERED: [47, 'provider_not_offered'],
  SIGN_IN_LINK_CODE_PROVIDERS_NOT_ALLOWED: [48, 'providers_not_allowed'],
  SIGN_IN_LINK_CODE_PROVIDER_NOT_LINKED: [49, 'provider_not_linked'],
  // Limits.
  SIGN_IN_LINK_CODE_ATTEMPTS_USED_UP: [60, 'attempts_used_up'],
  SIGN_IN_LINK_CODE_NETWORK_LIMITED: [61, 'network_limited'],
  // The pages, each with the step in `step`.
  SIGN_IN_LINK_CODE_LOGIN_NAME: [80, 'login_name'],
  SIGN_IN_LINK_CODE_PASSWORD: [81, 'password'],
  SIGN_IN_LINK_CODE_PASSKEY: [82, 'passkey'],
  SIGN_IN_LINK_CODE_PROVIDER: [83, 'provider'],
  SIGN_IN_LINK_CODE_UNKNOWN_ACCOUNT: [84, 'unknown_account'],
  SIGN_IN_LINK_CODE_LINK_ACCOUNT: [85, 'link_account'],
  SIGN_IN_LINK_CODE_REGISTER: [86, 'register'],
  SIGN_IN_LINK_CODE_SELECT_ACCOUNT: [87, 'select_account'],
  SIGN_IN_LINK_CODE_SECOND_FACTOR: [88, 'second_factor'],
  SIGN_IN_LINK_CODE_SECOND_FACTOR_MISSING: [89, 'second_factor_missing'],
  SIGN_IN_LINK_CODE_SECOND_FACTOR_OFFERED: [90, 'second_factor_offered'],
  SIGN_IN_LINK_CODE_FACTOR_SET_UP: [91, 'factor_set_up'],
  SIGN_IN_LINK_CODE_PASSKEY_OFFERED: [92, 'passkey_offered'],
  SIGN_IN_LINK_CODE_RECOVERY_CODES: [93, 'recovery_codes'],
  SIGN_IN_LINK_CODE_EMAIL_UNVERIFIED: [94, 'email_unverified'],
  SIGN_IN_LINK_CODE_PASSWORD_EXPIRED: [95, 'password_expired'],
  SIGN_IN_LINK_CODE_PASSWORD_CHANGE_REQUIRED: [96, 'password_change_required'],
  SIGN_IN_LINK_CODE_PASSWORD_EXPIRES_SOON: [97, 'password_expires_soon'],
  SIGN_IN_LINK_CODE_CONSENT: [98, 'consent'],
  SIGN_IN_LINK_CODE_EXTENSION_STEP: [99, 'extension_step'],
  SIGN_IN_LINK_CODE_DEVICE: [100, 'device'],
  // The end.
  SIGN_IN_LINK_CODE_SECOND_FACTOR_UNAVAILABLE: [120, 'second_factor_unavailable'],
  SIGN_IN_LINK_CODE_PROJECT_NOT_GRANTED: [121, 'project_not_granted'],
  SIGN_IN_LINK_CODE_ROLE_MISSING: [122, 'role_missing'],
  SIGN_IN_LINK_CODE_EXTENSION_REFUSES: [123, 'extension_refuses'],
  SIGN_IN_LINK_CODE_EXTENSION_UNAVAILABLE: [124, 'extension_unavailable'],
  SIGN_IN_LINK_CODE_OTHER_USER: [125, 'other_user'],
});

/** Whose rule it is. */
export const RULE_OWNER = wireEnum('ExplainedOwnerType', {
  EXPLAINED_OWNER_TYPE_UNSPECIFIED: [0, 'unspecified'],
  EXPLAINED_OWNER_TYPE_INSTANCE: [1, 'instance'],
  EXPLAINED_OWNER_TYPE_ORGANIZATION: [2, 'organization'],
  EXPLAINED_OWNER_TYPE_PROJECT: [3, 'project'],
  EXPLAINED_OWNER_TYPE_APPLICATION: [4, 'application'],
  EXPLAINED_OWNER_TYPE_USER: [5, 'user'],
  EXPLAINED_OWNER_TYPE_PROVIDER: [6, 'provider'],
  EXPLAINED_OWNER_TYPE_EXTENSION: [7, 'extension'],
});

/** Why something is in a token, or is not. */
export const TOKEN_CODE = wireEnum('TokenLinkCode', {
  TOKEN_LINK_CODE_UNSPECIFIED: [0, 'unspecified'],
  // What put it there.
  TOKEN_LINK_CODE_PROTOCOL: [1, 'protocol'],
  TOKEN_LINK_CODE_SCOPE: [2, 'scope'],
  TOKEN_LINK_CODE_EXTENSION: [3, 'extension'],
  TOKEN_LINK_CODE_ROLE_SCOPE: [4, 'role_scope'],
  TOKEN_LINK_CODE_PROJECT_ASSERTS_ROLES: [5, 'project_asserts_roles'],
  TOKEN_LINK_CODE_APPLICATION_ASSERTS_ROLES: [6, 'application_asserts_roles'],
  TOKEN_LINK_CODE_GRANT: [7, 'grant'],
  TOKEN_LINK_CODE_GROUP_GRANT: [8, 'group_grant'],
  TOKEN_LINK_CODE_INTROSPECTION: [9, 'introspection'],
  // Why it is not there.
  TOKEN_LINK_CODE_SCOPE_NOT_ASKED: [40, 'scope_not_asked'],
  TOKEN_LINK_CODE_SCOPE_DROPPED: [41, 'scope_dropped'],
  TOKEN_LINK_CODE_NO_VALUE: [42, 'no_value'],
  TOKEN_LINK_CODE_CLAIM_UNKNOWN: [43, 'claim_unknown'],
  TOKEN_LINK_CODE_LEFT_OUT: [44, 'left_out'],
  TOKEN_LINK_CODE_NOT_IN_THIS_TOKEN: [45, 'not_in_this_token'],
  TOKEN_LINK_CODE_ROLE_UNKNOWN: [46, 'role_unknown'],
  TOKEN_LINK_CODE_ROLE_NOT_GRANTED: [47, 'role_not_granted'],
  TOKEN_LINK_CODE_GRANT_INACTIVE: [48, 'grant_inactive'],
  TOKEN_LINK_CODE_PROJECT_GRANT_INACTIVE: [49, 'project_grant_inactive'],
  TOKEN_LINK_CODE_ROLES_NOT_ASSERTED: [50, 'roles_not_asserted'],
  TOKEN_LINK_CODE_ROLE_NOT_ASKED: [51, 'role_not_asked'],
  TOKEN_LINK_CODE_AUDIENCE_MISSING: [52, 'audience_missing'],
  TOKEN_LINK_CODE_ORGANIZATION_NOT_ASKED: [53, 'organization_not_asked'],
  TOKEN_LINK_CODE_RESERVED: [54, 'reserved'],
  TOKEN_LINK_CODE_ONLY_IN_REAL_TOKENS: [55, 'only_in_real_tokens'],
  TOKEN_LINK_CODE_EXTENSION_SILENT: [56, 'extension_silent'],
});
