import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Stage, setStage } from '../project-support.js';

const PATH = '/v2/web_keys';

let stage: Stage;

beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.world.close());

describe('Signing keys in the second generation', () => {
  it('are those of the first: the next one is created, activated and removed', async () => {
    const { iamOwner } = stage;
    const { id, creationDate } = await iamOwner.call('POST', PATH, { rsa: { bits: 'RSA_BITS_2048' } });
    const { webKeys } = await iamOwner.call('GET', PATH);
    expect(webKeys).toContainEqual({
      id,
      creationDate,
      changeDate: creationDate,
      state: 'STATE_INITIAL',
      rsa: { bits: 'RSA_BITS_2048', hasher: 'RSA_HASHER_SHA256' },
    });
    const { result } = await iamOwner.call('POST', '/admin/v1/keys/_search', {});
    expect(webKeys.map((key: { id: string }) => key.id)).toEqual(result.map((key: { id: string }) => key.id));
    expect(await iamOwner.verdict('POST', `${PATH}/${id}/activate`)).toBe('200');
    expect(await iamOwner.verdict('DELETE', `${PATH}/${id}`)).toBe('200');
    expect(await iamOwner.verdict('DELETE', `${PATH}/${id}`)).toBe('404 key.not_found');
  });

  it.each([
    ['rsa', { rsa: { bits: 'RSA_BITS_4096' } }],
    ['rsa', { rsa: { hasher: 'RSA_HASHER_SHA512' } }],
    ['ecdsa', { ecdsa: {} }],
    ['ed25519', { ed25519: {} }],
    ['key', {}],
  ])('of a kind that the signing settings do not name are refused: %s', async (field, body) => {
    expect(await stage.iamOwner.verdict('POST', PATH, body)).toBe(`400 ${field}`);
  });

  it('are for managers of the instance', async () => {
    expect(await stage.ownerOfA.verdict('GET', PATH)).toBe('403 permission.missing');
    expect(await stage.ownerOfA.verdict('POST', PATH, { rsa: {} })).toBe('403 permission.missing');
  });
});
