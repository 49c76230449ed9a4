import { newId } from '../../foundation/crypto/id.js';
import { SYSTEM } from '../../foundation/event/journal.js';
import { isForeignUserName, userNameRule } from '../../user/new-human.js';
import { EMPTY_PROFILE } from '../../user/profile.js';
import { ACCESS_TOKEN_HEADER_TYPE, ACCESS_TOKEN_TYPE, USER_STATE } from '../../user/user.enums.js';
import { toNameKey } from '../../user/user-name.js';
import { choice, Message, part, text } from '../document/field.js';
import type { WireState } from './human.message.js';
import { stateOf } from './human.part.js';
import { idIfAny, ownId, SYSTEM_RULE } from './ids.js';
import { type DocumentPart, definePart, textOf } from './part.js';
import { stageSecret, storedSecret, toSecretHash } from './stored-secret.js';
import { toProfileColumns, userStage } from './user.stage.js';

const PERSONAL = {
  ...toProfileColumns(EMPTY_PROFILE),
  email: '',
  email_key: '',
  email_verified: false,
  email_proof: 'said',
  email_verified_at: null,
  email_may_stay_unverified: false,
  awaits_set_up: false,
  phone: '',
  phone_verified: false,
  phone_verified_at: null,
  password_hash: null,
  password_change_required: false,
  password_changed_at: null,
};

/** An entry of `machineUsers`. */
export const MACHINE_USER = new Message(
  {
    userId: ownId(1),
    user: part(
      2,
      new Message(
        {
          userName: text(1, {
            min: 1,
            max: 200,
            problem: (name) => (isForeignUserName(name) ? undefined : userNameRule),
          }),
          name: text(2, { max: 200 }),
          description: text(3, { max: 500 }),
          accessTokenType: choice(4, ACCESS_TOKEN_TYPE),
          userId: idIfAny(5),
          accessTokenHeaderType: choice(100, ACCESS_TOKEN_HEADER_TYPE),
        },
        ['userName'],
      ),
    ),
    state: choice(3, USER_STATE),
    secretHash: storedSecret(100),
  },
  ['user'],
);

export const machinePart: DocumentPart = definePart({
  member: 'machineUsers',
  number: 15,
  stages: [userStage],
  message: MACHINE_USER,
  take({ userId, user, state, secretHash }, section) {
    if (!user) return;
    const id = userId || user.userId || newId();
    if (id === SYSTEM) section.faults.add(`${section.path}.userId`, SYSTEM_RULE);
    if (state === 'deleted') section.faults.add(`${section.path}.state`, 'must not be deleted');
    section.stage(
      userStage,
      {
        id,
        id_key: toNameKey(id),
        org_id: section.orgId,
        kind: 'service',
        state: stateOf(state) ?? 'active',
        user_name: user.userName,
        user_name_key: toNameKey(user.userName),
        name_scope: '',
        ...PERSONAL,
        service_name: user.name,
        description: user.description,
        access_token_type: user.accessTokenType,
        access_token_header_type:
          user.accessTokenHeaderType === 'unspecified' ? section.accessTokenHeaderType : user.accessTokenHeaderType,
        secret_hash: stageSecret(secretHash, section),
        token_epoch: 0,
      },
      { type: 'machine_user', id, done: id },
    );
  },
  select: `SELECT
      id,
      state,
      user_name,
      service_name,
      description,
      access_token_type,
      access_token_header_type,
      secret_hash
    FROM user_account
    WHERE org_id = :orgId AND kind = 'service'
    ORDER BY user_name_key, id`,
  toEntry: (row, options) => ({
    userId: textOf(row, 'id'),
    state: row['state'] as WireState,
    secretHash: toSecretHash(row, options),
    user: {
      userName: textOf(row, 'user_name'),
      name: textOf(row, 'service_name'),
      description: textOf(row, 'description'),
      accessTokenType: row['access_token_type'] as 'jwt',
      accessTokenHeaderType: row['access_token_header_type'] as 'JWT',
      userId: '',
    },
  }),
});
