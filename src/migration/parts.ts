import { actionPart, triggerPart } from './part/action.part.js';
import { apiAppPart, oidcAppPart } from './part/client.part.js';
import { extensionAppPart } from './part/ext-app.part.js';
import { projectGrantPart, userGrantPart } from './part/grant.part.js';
import { groupGrantPart, groupMemberPart, groupPart } from './part/group.part.js';
import { humanPart } from './part/human.part.js';
import { extensionIdpPart, jwtIdpPart, oidcIdpPart } from './part/idp.part.js';
import { appKeyPart, machineKeyPart } from './part/key.part.js';
import { labelPolicyPart } from './part/label.part.js';
import { linkPart } from './part/link.part.js';
import { listedIdpPart, loginPolicyPart, multiFactorPart, secondFactorPart } from './part/login-policy.part.js';
import { machinePart } from './part/machine.part.js';
import { orgMemberPart, projectGrantMemberPart, projectMemberPart } from './part/member.part.js';
import { metadataPart, orgMetadataPart } from './part/metadata.part.js';
import { domainPart, orgStage } from './part/org.part.js';
import type { DocumentPart } from './part/part.js';
import {
  domainPolicyPart,
  iamPolicyPart,
  lockoutPolicyPart,
  notificationPolicyPart,
  passwordAgePolicyPart,
  passwordComplexityPolicyPart,
  privacyPolicyPart,
  selfServicePolicyPart,
} from './part/policy.part.js';
import { projectPart, projectRolePart } from './part/project.part.js';
import type { Stage } from './part/stage.js';
import { loginTextPart, messageParts } from './part/text.part.js';

/** Every list of an organization, in the order in which an export writes them and an import inserts rows. */
export const EXPORT_PARTS: readonly DocumentPart[] = [
  domainPart,
  orgMetadataPart,
  domainPolicyPart,
  iamPolicyPart,
  labelPolicyPart,
  lockoutPolicyPart,
  passwordComplexityPolicyPart,
  passwordAgePolicyPart,
  notificationPolicyPart,
  privacyPolicyPart,
  selfServicePolicyPart,
  oidcIdpPart,
  jwtIdpPart,
  extensionIdpPart,
  loginPolicyPart,
  secondFactorPart,
  multiFactorPart,
  listedIdpPart,
  projectPart,
  projectRolePart,
  apiAppPart,
  oidcAppPart,
  extensionAppPart,
  appKeyPart,
  humanPart,
  machinePart,
  machineKeyPart,
  linkPart,
  metadataPart,
  groupPart,
  groupMemberPart,
  actionPart,
  triggerPart,
  loginTextPart,
  ...messageParts,
  projectGrantPart,
  userGrantPart,
  groupGrantPart,
  orgMemberPart,
  projectMemberPart,
  projectGrantMemberPart,
];

/** The tables of all parts, each once, referenced tables first. */
export const STAGES: readonly Stage[] = [...new Set([orgStage, ...EXPORT_PARTS.flatMap(({ stages }) => stages)])];
