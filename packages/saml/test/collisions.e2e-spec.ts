import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Arrival, Reply } from 'gatehouse/testing';
import { writeServiceProvider } from '../src/metadata/write-metadata.js';
import { Stage } from './support/stage.js';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

const metadataOf = (entityId: string): string =>
  writeServiceProvider({
    entityId,
    certificates: [],
    logoutEndpoints: [],
    nameIdFormats: [],
    assertionConsumerUrl: 'https://wiki.test/acs',
    authnRequestsSigned: false,
  });

describe('SML-017 One entityID at the same moment', () => {
  it('is that of one application, and taken for all others', async () => {
    for (let round = 0; round < 4; round += 1) {
      const apps = [];
      for (let count = 0; count < 4; count += 1) apps.push(await stage.application());
      const metadata = metadataOf(`https://contested${round}.test`);
      const replies: Reply[] = await Promise.all([
        ...apps.map(async ({ id }) => stage.owner.ask('PUT', `${stage.path}/${id}/metadata`, { metadata })),
        ...['x', 'y'].map(async (name) => stage.owner.ask('POST', stage.path, { name: name + round, metadata })),
      ]);
      expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409]);
    }
  });
});

describe('SML-018 An entityID', () => {
  it('of a domain that an organization has proved is for that organization alone', async () => {
    const theirs = await stage.world.add.organization({ domain: 'elsewhere.test' });
    const other = await stage.world.manager(['ORG_OWNER'], theirs);
    const { id } = await other.call<{ id: string }>('POST', '/management/v1/projects', { name: 'Theirs' });
    const asked = { name: 'Wiki', metadata: metadataOf('https://wiki.elsewhere.test/sp') };
    expect(await stage.owner.verdict('POST', stage.path, asked)).toBe('400 saml.entity_elsewhere');
    const app = await stage.application();
    expect(await stage.owner.verdict('PUT', `${stage.path}/${app.id}/metadata`, asked)).toBe(
      '400 saml.entity_elsewhere',
    );
    expect(await other.verdict('POST', `/management/v1/ext/saml/projects/${id}/applications`, asked)).toBe('200');
  });

  it('is not that of Gatehouse', async () => {
    const metadata = metadataOf(`${stage.world.issuer}/saml/v2/metadata`);
    expect(await stage.owner.verdict('POST', stage.path, { name: 'Us', metadata })).toBe('400 metadata');
  });
});

describe('SML-019 A page', () => {
  const statusOf = ({ page }: Arrival): number | undefined => page?.status;

  it('where the project or the organization of an application is inactive, or a request too long', async () => {
    const anna = await stage.visitor();
    const projectId = await stage.project();
    const app = await stage.application({ allowIdpInitiated: true }, projectId);
    await anna.enter(app);
    const long = await anna.browser.post(app.ourSignOn, {
      ...app.form(app.request(), { relayState: 'r'.repeat(200_000) }),
      again: '1',
    });
    expect([200, 400]).toContain(statusOf(long));
    const stranger = await stage.visitor();
    const refused = await stranger.post(app, app.request(), { relayState: 'r'.repeat(200_000) });
    expect(statusOf(refused)).toBe(400);
    expect(refused.page?.text).toContain('This request is not valid');
    await stage.owner.call('POST', `/management/v1/projects/${projectId}/_deactivate`, {});
    for (const arrival of [
      await anna.bring(app, app.request()),
      await anna.browser.get(`/saml/v2/SSO/init?application=${app.id}`),
    ]) {
      expect(statusOf(arrival)).toBe(400);
      expect(app.posted(arrival)).toBeUndefined();
    }
  });

  it('where the application is removed meanwhile', async () => {
    const anna = await stage.visitor();
    await anna.enter(await stage.application());
    for (let round = 0; round < 3; round += 1) {
      const app = await stage.application();
      const arrivals = await Promise.all(
        Array.from({ length: 12 }, async (_, at) => {
          if (at !== 4) return statusOf(await anna.bring(app, app.request()));
          return (await stage.owner.ask('DELETE', `${stage.path}/${app.id}`)).status;
        }),
      );
      for (const status of arrivals) expect([200, 400]).toContain(status);
    }
  });
});
