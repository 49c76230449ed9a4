import { AddCustomLoginPolicyRequest, LoginPolicyResponse, UpdateLoginPolicyRequest } from './login-policy.dto.js';
import { LabelPolicyRequest, LabelPolicyResponse } from './label-policy.dto.js';
import { policyControllers } from './policy-controllers.js';
import {
  InstancePasswordComplexityPolicyRequest, LockoutPolicyRequest, LockoutPolicyResponse, NotificationPolicyRequest, NotificationPolicyResponse, PasswordAgePolicyRequest,
  PasswordAgePolicyResponse, PasswordComplexityPolicyRequest, PasswordComplexityPolicyResponse, PrivacyPolicyRequest, PrivacyPolicyResponse,
} from './policy.dto.js';
import {
  toAgePolicy, toAgeSettings, toComplexityPolicy, toComplexitySettings, toLabelPolicy, toLabelSettings, toLockoutPolicy, toLockoutSettings,
  toLoginPolicy, toLoginSettings, toNewLoginSettings, toNotificationPolicy, toNotificationSettings, toPrivacyPolicy, toPrivacySettings,
} from './policy.mapping.js';

/** The kinds of policies that both the instance and organizations have; the domain policy is the instance's alone to give. */
export const policyControllersOfAllKinds = [
  ...policyControllers({
    kind: 'login', tag: 'Login policy', noun: 'Login', name: 'login', path: 'login',
    addRequest: AddCustomLoginPolicyRequest, toNew: toNewLoginSettings, updateRequest: UpdateLoginPolicyRequest, toSettings: toLoginSettings,
    response: LoginPolicyResponse, toAnswer: async (found, on) => toLoginPolicy(found, await on.idpsOf(found.policy.ownerId)),
    add: async (on, tx, orgId, request, editorId) => {
      const details = await on.policies.add(tx, 'login', orgId, toNewLoginSettings(request), editorId);
      await on.listIdps(tx, orgId, request.idps, editorId);
      return details;
    },
  }),
  ...policyControllers({
    kind: 'lockout', tag: 'Policies', noun: 'Lockout', name: 'lockout', path: 'lockout', instancePutPath: 'password/lockout',
    addRequest: LockoutPolicyRequest, toNew: toLockoutSettings, updateRequest: LockoutPolicyRequest, toSettings: toLockoutSettings,
    response: LockoutPolicyResponse, toAnswer: toLockoutPolicy,
  }),
  ...policyControllers({
    kind: 'passwordComplexity', tag: 'Policies', noun: 'PasswordComplexity', name: 'password complexity', path: 'password/complexity',
    addRequest: PasswordComplexityPolicyRequest, toNew: toComplexitySettings,
    updateRequest: PasswordComplexityPolicyRequest, instanceUpdateRequest: InstancePasswordComplexityPolicyRequest, toSettings: toComplexitySettings,
    response: PasswordComplexityPolicyResponse, toAnswer: toComplexityPolicy,
  }),
  ...policyControllers({
    kind: 'passwordAge', tag: 'Policies', noun: 'PasswordAge', name: 'password age', path: 'password/age',
    addRequest: PasswordAgePolicyRequest, toNew: toAgeSettings, updateRequest: PasswordAgePolicyRequest, toSettings: toAgeSettings,
    response: PasswordAgePolicyResponse, toAnswer: toAgePolicy,
  }),
  ...policyControllers({
    kind: 'privacy', tag: 'Policies', noun: 'Privacy', name: 'privacy', path: 'privacy',
    addRequest: PrivacyPolicyRequest, toNew: toPrivacySettings, updateRequest: PrivacyPolicyRequest, toSettings: toPrivacySettings,
    response: PrivacyPolicyResponse, toAnswer: toPrivacyPolicy,
  }),
  ...policyControllers({
    kind: 'notification', tag: 'Policies', noun: 'Notification', name: 'notification', path: 'notification',
    addRequest: NotificationPolicyRequest, toNew: toNotificationSettings,
    updateRequest: NotificationPolicyRequest, toSettings: toNotificationSettings,
    response: NotificationPolicyResponse, toAnswer: toNotificationPolicy,
  }),
  ...policyControllers({
    kind: 'label', tag: 'Policies', noun: 'Label', name: 'label', path: 'label',
    addRequest: LabelPolicyRequest, toNew: toLabelSettings, updateRequest: LabelPolicyRequest, toSettings: toLabelSettings,
    response: LabelPolicyResponse, toAnswer: (found, on) => toLabelPolicy(found, on.publicUrl),
    // What is changed is the preview; people see it once it is activated.
    add: (on, tx, ownerId, request, editorId) => on.labels.add(tx, ownerId, toLabelSettings(request), editorId),
    update: (on, tx, ownerId, request, editorId) => on.labels.update(tx, ownerId, toLabelSettings(request), editorId),
    reset: (on, tx, orgId, editorId) => on.labels.reset(tx, orgId, editorId),
  }),
];
