import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, LANES } from './stage.mjs';

const EXCHANGE_GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';
const TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token';
const USER_ID_TYPE = 'urn:service:params:oauth:token-type:user_id';
/** Rounds after which something must have been exchanged in time, or nothing was shown. */
const ENOUGH = 20;

/** Applications of two projects: one signs people in, the other exchanges what it is sent. */
class Scene {
  static async open(stage) {
    const { id } = await stage.api.call('POST', '/management/v1/projects', { name: `Front ${randomUUID()}` });
    const scene = new Scene(stage, id, await stage.addWeb({}, id), await stage.addWeb({ grantTypes: EXCHANGING }));
    await stage.api.call('PUT', '/admin/v1/policies/security', { enableImpersonation: true });
    return scene;
  }

  constructor(stage, frontProjectId, front, back) {
    Object.assign(this, { stage, frontProjectId, front, back, exchanged: 0 });
    this.scope = `openid urn:service:iam:org:project:id:${stage.projectId}:aud`;
  }

  async tokenOf(visitor) {
    const { clientId, clientSecret } = this.front;
    return (await this.stage.tokens(visitor, clientId, clientSecret, this.scope)).access_token;
  }

  exchange(at, form) {
    const { clientId, clientSecret } = this.back;
    return ask(at, '/oauth/v2/token', {
      grant_type: EXCHANGE_GRANT,
      client_id: clientId,
      client_secret: clientSecret,
      subject_token_type: TOKEN_TYPE,
      ...form,
    });
  }

  /** Exchanges everywhere while something happens that ends the tokens. @returns undefined, or what was not as it must be */
  async during(count, form, end) {
    const before = await this.exchange(this.stage.second, form);
    if (before.status !== 200) return `nothing to end: ${before.text}`;
    const answers = await this.stage.everywhere(async (at, lane) => {
      if (lane !== LANES / 2) return this.exchange(at, form);
      await sleep(count % LANES);
      return end();
    });
    const others = answers.filter((answer) => answer && answer.status !== 200);
    if (others.some(({ status }) => status >= 500)) return `statuses ${others.map(({ status }) => status)}`;
    const tokens = [before, ...answers].filter((answer) => answer?.status === 200).map(accessTokenIn);
    this.exchanged += tokens.length - 1;
    if (count > ENOUGH && this.exchanged === 0) return 'nothing was exchanged in time';
    const late = await this.exchange(this.stage.second, form);
    if (late.status === 200) tokens.push(accessTokenIn(late));
    const alive = await this.alive(tokens);
    return alive === 0 ? undefined : `${alive} of ${tokens.length} tokens alive`;
  }

  /** How many of the tokens are good at either process. */
  async alive(tokens) {
    const places = [this.stage.first, this.stage.second];
    const answers = await Promise.all(
      tokens.flatMap((token) => places.map((at) => ask(at, '/oidc/v1/userinfo', undefined, bearer(token)))),
    );
    return answers.filter(({ status }) => status === 200).length;
  }
}

const EXCHANGING = ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE', 'OIDC_GRANT_TYPE_TOKEN_EXCHANGE'];

export const EXCHANGE_RACES = {
  'one token is exchanged by many, and all of the results end when it is revoked (RFC 8693)': async (stage) => {
    const scene = await Scene.open(stage);
    const visitor = await stage.visitor(0);
    return async (count) => {
      const token = await scene.tokenOf(visitor);
      const form = { subject_token: token };
      const answers = await stage.everywhere((at) => scene.exchange(at, form));
      const made = new Set(answers.map(accessTokenIn));
      if (answers.some(({ status }) => status !== 200) || made.size !== LANES) return `${made.size} tokens`;
      const alive = await scene.alive([...made]);
      if (alive !== 2 * LANES) return `${alive} of ${2 * LANES} times alive`;
      const { clientId, clientSecret } = scene.front;
      const revocation = { token, client_id: clientId, client_secret: clientSecret };
      const flaw = await scene.during(
        count,
        form,
        async () => void (await ask(stage.first, '/oauth/v2/revoke', revocation)),
      );
      return flaw ?? ((await scene.alive([...made])) === 0 ? undefined : 'earlier ones are alive');
    };
  },

  'nothing lives that was exchanged while its application was deactivated': async (stage) =>
    againstSwitch(stage, ({ frontProjectId, front }) => appPath(frontProjectId, front)),

  'nor while the application that exchanges was': async (stage) =>
    againstSwitch(stage, ({ back }) => appPath(stage.projectId, back)),

  'nor while the project of the application was': async (stage) =>
    againstSwitch(stage, ({ frontProjectId }) => `/management/v1/projects/${frontProjectId}`),

  'nor while the user was': async (stage) => {
    const scene = await Scene.open(stage);
    const person = await stage.addPerson();
    return async (count) => {
      const form = { subject_token: await scene.tokenOf(await stage.signIn(person.userName, count)) };
      return switched(stage, userPath(person), () =>
        scene.during(count, form, () => deactivate(stage, userPath(person))),
      );
    };
  },

  'nor while the one who acts was (RFC 8693 §1.1)': async (stage) => {
    const scene = await Scene.open(stage);
    const [subject, actor] = [await stage.addPerson(), await stage.addPerson()];
    await stage.api.call('POST', '/admin/v1/members', { userId: actor.userId, roles: ['IAM_END_USER_IMPERSONATOR'] });
    return async (count) => {
      const form = {
        subject_token: subject.userId,
        subject_token_type: USER_ID_TYPE,
        actor_token: await scene.tokenOf(await stage.signIn(actor.userName, count)),
        actor_token_type: TOKEN_TYPE,
      };
      return switched(stage, userPath(actor), () =>
        scene.during(count, form, () => deactivate(stage, userPath(actor))),
      );
    };
  },
};

async function againstSwitch(stage, pathOf) {
  const scene = await Scene.open(stage);
  const visitor = await stage.visitor(0);
  const path = pathOf(scene);
  return async (count) => {
    const form = { subject_token: await scene.tokenOf(visitor) };
    return switched(stage, path, () => scene.during(count, form, () => deactivate(stage, path)));
  };
}

/** What was deactivated is active again afterwards, for the next round. */
async function switched(stage, path, work) {
  const flaw = await work();
  await stage.api.call('POST', `${path}/_reactivate`, {});
  return flaw;
}

async function deactivate(stage, path) {
  await stage.api.call('POST', `${path}/_deactivate`, {});
}

function appPath(projectId, { appId }) {
  return `/management/v1/projects/${projectId}/apps/${appId}`;
}

function userPath({ userId }) {
  return `/management/v1/users/${userId}`;
}

function accessTokenIn({ text }) {
  return JSON.parse(text).access_token;
}

function bearer(token) {
  return { Authorization: `Bearer ${token}` };
}
