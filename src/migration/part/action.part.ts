import { newId } from '../../foundation/crypto/id.js';
import { type Field, flag, Message, part, span, text, texts } from '../document/field.js';
import { ownId } from './ids.js';
import { orgStage } from './org.part.js';
import { type DocumentPart, definePart, flagOf, listIn, textOf } from './part.js';
import { refersTo, type Stage, staging, usable } from './stage.js';

const actionStage: Stage = {
  table: 'action',
  name: 'an action',
  key: ['id'],
  columns: ['org_id', 'name', 'script', 'timeout_seconds', 'allowed_to_fail'],
  ownerOf: (t) => `${t}.org_id`,
  checks: [refersTo('org_id', orgStage)],
};

const triggerStage: Stage = {
  table: 'trigger_action',
  name: 'a trigger',
  key: ['org_id', 'flow_type', 'trigger_type'],
  columns: ['action_ids'],
  ownerOf: (t) => `${t}.org_id`,
  checks: [
    refersTo('org_id', orgStage),
    {
      breaks: (skip) => `EXISTS (
          SELECT 1 FROM unnest(s.action_ids) a
          WHERE NOT EXISTS (
              SELECT 1 FROM ${staging('action')} r
              WHERE r.id = a AND r._org = s._org AND ${usable(skip)}
            )
            AND NOT EXISTS (SELECT 1 FROM action r WHERE r.id = a AND r.org_id = s._org)
        )`,
      says: 'names an action that is neither in the document nor in this organization',
      verdict: 'invalid',
    },
  ],
};

export const actionPart: DocumentPart = definePart({
  member: 'actions',
  number: 17,
  stages: [actionStage],
  message: new Message(
    {
      actionId: ownId(1),
      action: part(
        2,
        new Message(
          {
            name: text(1, { min: 1, max: 200 }),
            script: text(2, { maxBytes: 40_000 }),
            timeout: span(3),
            allowedToFail: flag(4),
          },
          ['name'],
        ),
      ),
    },
    ['action'],
  ),
  take({ actionId, action }, section) {
    if (!action) return;
    const id = actionId || newId();
    section.stage(
      actionStage,
      {
        id,
        org_id: section.orgId,
        name: action.name,
        script: action.script,
        timeout_seconds: action.timeout ?? 0,
        allowed_to_fail: action.allowedToFail,
      },
      { type: 'action', id, done: id },
    );
  },
  select: `SELECT id, name, script, timeout_seconds, allowed_to_fail
    FROM action
    WHERE org_id = :orgId
    ORDER BY id`,
  toEntry: (row) => ({
    actionId: textOf(row, 'id'),
    action: {
      name: textOf(row, 'name'),
      script: textOf(row, 'script'),
      timeout: (row['timeout_seconds'] as number) || undefined,
      allowedToFail: flagOf(row, 'allowed_to_fail'),
    },
  }),
});

/** The number of a type in digits; the older format uses names. */
function typeNumber(no: number, names: Readonly<Record<string, string>>): Field<string> {
  const digits = text(no, {
    max: 10,
    problem: (value) => (/^\d+$/.test(value) ? undefined : 'must be the number of a type'),
  });
  return {
    ...digits,
    read: (value, at, faults) =>
      typeof value === 'number' ? String(value) : (names[value as string] ?? digits.read(value, at, faults)),
  };
}

/** How the described system writes "none": the zero of its enumeration, or nothing. */
const NONE: ReadonlySet<string> = new Set(['', '0']);
const FLOWS = { FLOW_TYPE_UNSPECIFIED: '0', FLOW_TYPE_EXTERNAL_AUTHENTICATION: '1' };
const TRIGGERS = {
  TRIGGER_TYPE_UNSPECIFIED: '0',
  TRIGGER_TYPE_POST_AUTHENTICATION: '1',
  TRIGGER_TYPE_PRE_CREATION: '2',
  TRIGGER_TYPE_POST_CREATION: '3',
};

export const triggerPart: DocumentPart = definePart({
  member: 'triggerActions',
  number: 16,
  stages: [actionStage, triggerStage],
  message: new Message({
    flowType: typeNumber(1, FLOWS),
    triggerType: typeNumber(2, TRIGGERS),
    actionIds: texts(3, { min: 1, max: 200 }),
  }),
  take({ flowType, triggerType, actionIds }, section) {
    section.stage(
      triggerStage,
      { org_id: section.orgId, flow_type: flowType, trigger_type: triggerType, action_ids: actionIds },
      {
        type: 'trigger_action',
        id: `${flowType}_${triggerType}`,
        done: { flowType, triggerType, actionIds },
        leftOut: NONE.has(flowType) || NONE.has(triggerType) ? 'does not say when it runs' : undefined,
      },
    );
  },
  select: `SELECT flow_type, trigger_type, action_ids
    FROM trigger_action
    WHERE org_id = :orgId
    ORDER BY flow_type, trigger_type`,
  toEntry: (row) => ({
    flowType: textOf(row, 'flow_type'),
    triggerType: textOf(row, 'trigger_type'),
    actionIds: listIn(row, 'action_ids'),
  }),
});
