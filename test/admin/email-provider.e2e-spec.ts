import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { PASSWORD, RECEIVER, SMTP, SmtpStage } from './smtp-stage.js';

const EMAIL = '/admin/v1/email';

let stage: SmtpStage;
beforeAll(async () => {
  stage = await SmtpStage.start();
});
afterEach(() => stage.reset());
afterAll(() => stage.close());

describe('An e-mail provider', () => {
  it('is an SMTP configuration under another name', async () => {
    const { password: _password, description, ...shown } = stage.guarded();
    const { id } = await stage.owner.call('POST', `${EMAIL}/smtp`, {
      ...shown,
      description,
      plain: { password: PASSWORD },
    });
    const expected = {
      id,
      state: 'EMAIL_PROVIDER_INACTIVE',
      description,
      details: expect.objectContaining({ sequence: '1' }),
      smtp: { ...shown, plain: {} },
    };
    expect((await stage.viewer.call('GET', `${EMAIL}/${id}`))['config']).toEqual(expected);
    expect((await stage.viewer.call('POST', `${EMAIL}/_search`))['result']).toEqual([expected]);
    expect((await stage.viewer.call('GET', `${SMTP}/${id}`))['smtpConfig']).toMatchObject(shown);
    await stage.owner.call('POST', `${EMAIL}/smtp/${id}/_test`, RECEIVER);
    await stage.owner.call('POST', `${EMAIL}/${id}/_activate`, {});
    expect((await stage.viewer.call('GET', EMAIL))['config']).toMatchObject({ id, state: 'EMAIL_PROVIDER_ACTIVE' });
    await stage.owner.call('PUT', `${EMAIL}/smtp/${id}`, { ...shown, description: 'Yours' });
    await stage.owner.call('POST', `${EMAIL}/${id}/_deactivate`, {});
    await stage.owner.call('DELETE', `${EMAIL}/${id}`);
    expect(await stage.viewer.verdict('GET', `${EMAIL}/${id}`)).toBe('404 mail_server.not_found');
  });

  it('says in one way how it authenticates', async () => {
    const { password: _password, ...shown } = stage.guarded();
    const verdict = async (more: object): Promise<string> =>
      stage.owner.verdict('POST', `${EMAIL}/smtp`, { ...shown, ...more });
    expect(await verdict({ none: {} })).toBe('400 none');
    expect(await verdict({ plain: { password: 'one' }, password: 'two' })).toBe('400 plain');
    expect(await stage.viewer.verdict('POST', `${EMAIL}/smtp`, shown)).toMatch(/^403 /);
  });
});
