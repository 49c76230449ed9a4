import { Secret } from '../../foundation/config/secret.js';
import { newId } from '../../foundation/crypto/id.js';
import { SYSTEM } from '../../foundation/event/journal.js';
import { hashFormProblem } from '../../foundation/password/password-form.js';
import { toStoredEmail } from '../../org/email-address.js';
import { parseSeed } from '../../user/factor/totp.js';
import { isForeignUserName, newHumanViolations } from '../../user/new-human.js';
import { toPhoneNumber } from '../../user/phone-number.js';
import { EMPTY_PROFILE, type Profile } from '../../user/profile.js';
import type { Address } from '../../user/user.entity.js';
import { toNameKey } from '../../user/user-name.js';
import type { EntryOf } from '../document/field.js';
import { HUMAN, HUMAN_USER, type Human, PROFILE, type WireState } from './human.message.js';
import { SYSTEM_RULE } from './ids.js';
import { linkStage, stageLink } from './link.stage.js';
import {
  type DocumentPart,
  definePart,
  type ExportOptions,
  earlier,
  flagOf,
  listIn,
  type Section,
  type Stored,
  textOf,
} from './part.js';
import { HOW_TO_ADD_ONE, KEYS_COLUMN, passkeyStage, passkeysIn, stagePasskeys } from './passkey.stage.js';
import { factorStage, PROFILE_COLUMNS, toProfileColumns, userStage } from './user.stage.js';

/** Checks beyond the format. A missing e-mail address is accepted, since exports contain such users. */
function checkHuman(user: Human, path: string, { faults, hashLimits }: Section): void {
  const profile = user.profile!;
  const email = user.email?.email ?? '';
  const violations = newHumanViolations({
    orgId: '',
    userName: user.userName,
    profile: toProfile(profile),
    email,
    phone: user.phone?.phone ?? '',
  });
  // Members that could not be read have been reported already.
  const known = violations.filter(
    ({ field }) =>
      !(field === 'email.email' && email === '') &&
      !(field === 'userName' && (user.userName === '' || isForeignUserName(user.userName))) &&
      !(/^profile\.(first|last)Name$/.test(field) && profile[field.slice('profile.'.length) as 'firstName'] === ''),
  );
  faults.addAll(path, known);
  if (user.password !== '' && user.hashedPassword)
    faults.add(`${path}.hashedPassword`, 'must not be sent beside a password');
  if (user.requestPasswordlessRegistration)
    faults.note(`${path}.requestPasswordlessRegistration`, `sends nothing here. ${HOW_TO_ADD_ONE}`);
  if (user.hasKeys && user.passkeys.length === 0)
    faults.note(`${path}.hasKeys`, `the passkeys and security keys are not in the document. ${HOW_TO_ADD_ONE}`);
  if (user.otpCode !== '' && !parseSeed(user.otpCode)) faults.add(`${path}.otpCode`, 'must be a seed in base32');
  const hash = user.hashedPassword?.value ?? '';
  faults.addProblem(`${path}.hashedPassword.value`, hash === '' ? undefined : hashLimits.passwordFormProblemOf(hash));
  for (const [index, { raw, hash: code }] of user.recoveryCodes.entries()) {
    const at = `${path}.recoveryCodes[${index}]`;
    if ((raw === '') === (code === '')) faults.add(at, 'must have either raw or hash');
    faults.addProblem(`${at}.hash`, code === '' ? undefined : hashFormProblem(code));
  }
}

type SentProfile = EntryOf<typeof PROFILE.fields>;

function toProfile({ address, ...same }: SentProfile): Profile {
  return { ...same, address: Object.fromEntries(Object.entries(address ?? {}).filter(([, value]) => value !== '')) };
}

/** The profile of a stored row; members that are empty are NULL (see `NOTHING`). */
function profileIn(row: Stored): SentProfile {
  const values = PROFILE_COLUMNS.map(({ member, column }) => [member, row[column] ?? PROFILE.fields[member].zero]);
  return Object.fromEntries(values) as SentProfile;
}

function passwordHashOf({ hashedPassword }: Human, { path, faults, hashLimits }: Section): string | null {
  const hash = hashedPassword?.value ?? '';
  if (hash === '' || hashLimits.passwordFormProblemOf(hash) !== undefined) return null;
  const excess = hashLimits.passwordExcessOf(hash);
  if (excess !== undefined)
    faults.note(`${path}.user.hashedPassword.value`, `${excess}. It is left out: the user needs another password`);
  return excess === undefined ? hash : null;
}

/** The recovery codes, in clear or already hashed. */
function recoveryCodesOf({ recoveryCodes }: Human, { path, faults, hashLimits }: Section): Array<Secret | string> {
  return recoveryCodes.flatMap(({ raw, hash }, index): Array<Secret | string> => {
    if (hash === '') return [new Secret(raw)];
    const excess = hashFormProblem(hash) === undefined ? hashLimits.codeExcessOf(hash) : undefined;
    if (excess !== undefined) faults.note(`${path}.user.recoveryCodes[${index}].hash`, `${excess}. It is left out`);
    return excess === undefined ? [hash] : [];
  });
}

function stageFactors(id: string, user: Human, codes: ReadonlyArray<Secret | string>, section: Section): void {
  const mark = { type: 'human_user_otp', id };
  const factor = (kind: string, secret: string | null, codes: ReadonlyArray<string | Secret>): void => {
    const clear = codes.some((code) => code instanceof Secret)
      ? { column: 'recovery_hashes', isList: true, secrets: codes }
      : undefined;
    section.stage(
      factorStage,
      {
        id: newId(),
        user_id: id,
        kind,
        state: 'ready',
        secret,
        recovery_hashes: clear ? [] : codes,
        created_at: section.now,
      },
      mark,
      clear,
    );
  };
  const seed = user.otpCode === '' ? undefined : parseSeed(user.otpCode);
  if (seed) factor('otp', section.seals.sealTotp(id, section.orgId, seed.reveal()), []);
  if (user.otpEmail) factor('otp_email', null, []);
  if (codes.length > 0) factor('recovery_codes', null, codes);
}

const EXPORTED = [
  'id',
  'org_id',
  'state',
  'awaits_set_up',
  'user_name',
  ...PROFILE_COLUMNS.map(({ column }) => column),
  'email',
  'email_verified',
  'email_may_stay_unverified',
  'phone',
  'phone_verified',
  'password_hash',
  'password_change_required',
  'password_changed_at',
];
/**
 * The value that stands for nothing, where many users have it: as NULL it need not be sent and read, which takes a
 * tenth of an export.
 */
const NOTHING: Readonly<Record<string, string>> = {
  awaits_set_up: 'false',
  ...Object.fromEntries(PROFILE_COLUMNS.map(({ member, column }) => [column, nothingOf(EMPTY_PROFILE[member])])),
  email_may_stay_unverified: 'false',
  phone: "''",
  phone_verified: 'false',
  password_change_required: 'false',
};

function nothingOf(empty: string | Address): string {
  return typeof empty === 'string' ? "''" : "'{}'::jsonb";
}

function exported(column: string): string {
  const nothing = NOTHING[column];
  return nothing === undefined ? `u.${column}` : `nullif(u.${column}, ${nothing}) AS ${column}`;
}

export const humanPart: DocumentPart = definePart({
  member: 'humanUsers',
  number: 14,
  stages: [userStage, factorStage, passkeyStage, linkStage],
  message: HUMAN_USER,
  take({ userId, user, state, awaitsSetUp }, section) {
    if (!user?.profile) return;
    const id = userId || newId();
    if (id === SYSTEM) section.faults.add(`${section.path}.userId`, SYSTEM_RULE);
    if (state === 'deleted') section.faults.add(`${section.path}.state`, 'must not be deleted');
    checkHuman(user, `${section.path}.user`, section);
    const {
      profile,
      email: { email: typedEmail, isEmailVerified, mayStayUnverified } = {
        email: '',
        isEmailVerified: false,
        mayStayUnverified: false,
      },
    } = user;
    const email = toStoredEmail(typedEmail);
    const phone = toPhoneNumber(user.phone?.phone ?? '') ?? '';
    const isPhoneVerified = user.phone?.isPhoneVerified === true && phone !== '';
    const passwordHash = passwordHashOf(user, section);
    const recoveryCodes = recoveryCodesOf(user, section);
    const clear =
      user.password === ''
        ? undefined
        : { column: 'password_hash', isList: false, secrets: [new Secret(user.password)] };
    section.stage(
      userStage,
      {
        id,
        org_id: section.orgId,
        kind: 'human',
        state: stateOf(state),
        // Only these states need it; for accounts that are open, the state itself says it.
        awaits_set_up: awaitsSetUp && (state === 'inactive' || state === 'suspended' || state === 'locked'),
        user_name: user.userName,
        user_name_key: toNameKey(user.userName),
        name_scope: '',
        ...toProfileColumns({
          ...toProfile(profile),
          displayName: profile.displayName || `${profile.firstName} ${profile.lastName}`,
        }),
        email,
        email_key: toNameKey(email),
        ...emailOf(isEmailVerified && email !== '', section.now),
        email_may_stay_unverified: mayStayUnverified && !isEmailVerified && email !== '',
        phone,
        phone_verified: isPhoneVerified,
        phone_verified_at: isPhoneVerified ? section.now : null,
        password_hash: passwordHash,
        password_change_required: user.passwordChangeRequired,
        // If an older document does not say, the age counts from now; a date in the future makes no sense.
        password_changed_at: passwordHash === null && !clear ? null : earlier(user.passwordChanged, section.now),
        service_name: '',
        description: '',
        access_token_type: 'opaque',
        access_token_header_type: 'at+jwt',
        secret_hash: null,
        token_epoch: 0,
      },
      { type: 'human_user', id, done: id },
      clear,
    );
    stageFactors(id, user, recoveryCodes, section);
    stagePasskeys(id, user.passkeys, section);
    for (const { configId, externalUserId, displayName } of user.idps)
      stageLink(
        { userId: id, idpId: configId, externalUserId, displayName, attributes: {}, creationDate: section.now },
        section,
      );
  },
  select: `SELECT
      ${EXPORTED.map(exported).join(', ')},
      f.secret,
      f.has_email,
      f.has_keys,
      f.recovery_hashes,
      ${KEYS_COLUMN}
    FROM user_account u
    LEFT JOIN LATERAL (
      SELECT
        max(a.secret) FILTER (WHERE a.kind = 'otp') AS secret,
        bool_or(a.kind = 'otp_email') AS has_email,
        bool_or(a.kind IN ('passkey', 'u2f')) AS has_keys,
        max(a.recovery_hashes) FILTER (WHERE a.kind = 'recovery_codes') AS recovery_hashes
      FROM auth_factor a
      WHERE a.user_id = u.id AND a.state = 'ready'
    ) f ON true
    WHERE u.org_id = :orgId AND u.kind = 'human'
    ORDER BY u.user_name_key, u.id`,
  toEntry: (row, options) => ({
    userId: textOf(row, 'id'),
    state: row['state'] as WireState,
    awaitsSetUp: flagOf(row, 'awaits_set_up'),
    user: toHuman(row, options),
  }),
});

/** A document says that an address was proved elsewhere; who proves it here has the better title (LOG-065). */
function emailOf(isVerified: boolean, now: Date): Record<string, unknown> {
  return {
    email_verified: isVerified,
    email_proof: isVerified ? 'import' : 'said',
    email_verified_at: isVerified ? now : null,
  };
}

export function stateOf(state: WireState): string | null {
  return state === 'unspecified' ? null : state === 'suspended' ? 'inactive' : state;
}

function toHuman(row: Stored, { withPasswords, withOtp, withPasskeys, seals }: ExportOptions): Human {
  const id = textOf(row, 'id');
  const hash = withPasswords ? textOf(row, 'password_hash') : '';
  const secret = withOtp ? textOf(row, 'secret') : '';
  return {
    ...HUMAN_ZEROS,
    userName: textOf(row, 'user_name'),
    profile: profileIn(row),
    email:
      textOf(row, 'email') === ''
        ? undefined
        : {
            email: textOf(row, 'email'),
            isEmailVerified: flagOf(row, 'email_verified'),
            mayStayUnverified: flagOf(row, 'email_may_stay_unverified') && !flagOf(row, 'email_verified'),
          },
    phone:
      textOf(row, 'phone') === ''
        ? undefined
        : { phone: textOf(row, 'phone'), isPhoneVerified: flagOf(row, 'phone_verified') },
    hashedPassword: hash === '' ? undefined : { value: hash },
    passwordChanged: hash === '' ? undefined : ((row['password_changed_at'] as Date | null) ?? undefined),
    passwordChangeRequired: flagOf(row, 'password_change_required'),
    otpCode: secret === '' ? '' : seals.openTotp(id, textOf(row, 'org_id'), secret),
    otpEmail: flagOf(row, 'has_email'),
    // Only where they are missing.
    hasKeys: flagOf(row, 'has_keys') && !withPasskeys,
    passkeys: passkeysIn(row, id),
    recoveryCodes: withOtp ? listIn(row, 'recovery_hashes').map((each) => ({ raw: '', hash: each })) : [],
  };
}

const HUMAN_ZEROS = Object.fromEntries(Object.entries(HUMAN.fields).map(([name, { zero }]) => [name, zero])) as Human;
