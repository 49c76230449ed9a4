/**
 * Types that may change at any time, and that nobody outside hears of: what strangers cause in any number, and what is
 * ours alone.
 */
export const INTERNAL_EVENTS: ReadonlySet<string> = new Set(
  (
    'access_token.revoked client.document.added client.document.changed client.registered client.registration.renewed client.unused.removed ' +
    'iam.job.cancelled instance.added instance.default.language.set instance.default.org.set instance.event_listener.replayed ' +
    'instance.policy.security.set instance.registered.project.set instance.renamed instance.signing.changed instance.token.lifetimes.changed ' +
    'key.activation.requested logout_notice.retried mail.removed mail.retried org.domain.verification.added project.resources.set ' +
    'registration.token.added registration.token.removed session.second_factor_checked sign_in.mfa.check.failed sign_in.passkey.check.failed ' +
    'user.human.mfa.otp.added user.human.otp.email.code.added user.human.recoverycode.check.succeeded user.human.recoverycodes.added ' +
    'sign_in.password.check.failed token.impersonated token_family.revoked user.human.email.code.added ' +
    'user.human.externalidp.cascade.removed user.human.externalidp.described user.human.initialization.code.added user.human.mfa.init.skipped user.human.password.code.added ' +
    'user.human.password.expired user.human.passwordless.initialization.code.added user.human.recoverycodes.removed user.impersonated ' +
    'user.removal.requested user.service.secret.removed user.service.secret.set'
  ).split(' '),
);

/** Internal ones whose words are put together, so that no source contains them as they are. */
const FAMILIES: readonly RegExp[] = [
  /^(?:iam|org)\.idp\.(?:(?:oidc|jwt|extension)\.)?config\.\w+$/,
  /^(?:instance|org)\.customtext\.(?:template\.)?\w+$/,
  /^policy\.(?:domain|label|lockout|login|notification|password\.age|password\.complexity|privacy|self_service)\.[a-z.]+$/,
  /^project\.grant\.member\.[a-z.]+$/,
  /^webhook\.replayed$/,
];

export function isInternalEvent(type: string): boolean {
  return INTERNAL_EVENTS.has(type) || FAMILIES.some((family) => family.test(type));
}

/** The types of objects that events can be about, besides those that extensions declare. */
export const AGGREGATE_TYPES: readonly string[] = (
  'access_token client device_authorization group instance key logout_notice mail mail_server org policy.domain policy.label policy.lockout policy.login ' +
  'policy.notification policy.password.age policy.password.complexity policy.privacy policy.self_service project project_grant ' +
  'registration_token session sign_in token_family user user_grant webhook'
).split(' ');
