import type { TextRules } from 'gatehouse/admin';

type TextForm = NonNullable<TextRules['form']>;

/** RFC 1123 §2.1, in lower case. */
export const DOMAIN: TextForm = {
  fits: (text) => /^(?=.{1,253}$)[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)+$/.test(text),
  says: 'must be a domain in lower case such as acme.example',
};

/** Whether http is enough is known to Gatehouse, which sends the requests. */
export const BASE_URL: TextForm = {
  fits: (text) => /^https?:\/\/[^\s/?#@]+(\/[^\s/?#]+)*$/.test(text) && URL.canParse(text),
  says: 'must be an address such as https://git.acme.example, without a slash at its end',
};

export const ENDPOINT: TextForm = {
  fits: (text) => /^https?:\/\/[^\s#@]+$/.test(text) && URL.canParse(text),
  says: 'must be an address such as https://sso.acme.example/oauth/token',
};
