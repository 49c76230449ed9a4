import { wireEnum } from '../../foundation/http/wire-enum.js';

// Names and numbers in the administrative API and in the documents of a migration, each with our word.

export const PASSWORDLESS_TYPE = wireEnum('PasswordlessType', {
  PASSWORDLESS_TYPE_NOT_ALLOWED: [0, 'not_allowed'],
  PASSWORDLESS_TYPE_ALLOWED: [1, 'allowed'],
});

export const SECOND_FACTOR_TYPE = wireEnum('SecondFactorType', {
  SECOND_FACTOR_TYPE_UNSPECIFIED: [0, 'unspecified'],
  SECOND_FACTOR_TYPE_OTP: [1, 'otp'],
  SECOND_FACTOR_TYPE_U2F: [2, 'u2f'],
  SECOND_FACTOR_TYPE_OTP_EMAIL: [3, 'otp_email'],
  SECOND_FACTOR_TYPE_OTP_SMS: [4, 'otp_sms'],
  SECOND_FACTOR_TYPE_RECOVERY_CODES: [5, 'recovery_codes'],
});

export const MULTI_FACTOR_TYPE = wireEnum('MultiFactorType', {
  MULTI_FACTOR_TYPE_UNSPECIFIED: [0, 'unspecified'],
  MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION: [1, 'u2f_with_verification'],
});

export const THEME_MODE = wireEnum('ThemeMode', {
  THEME_MODE_UNSPECIFIED: [0, 'unspecified'],
  THEME_MODE_AUTO: [1, 'auto'],
  THEME_MODE_DARK: [2, 'dark'],
  THEME_MODE_LIGHT: [3, 'light'],
});
