/*
 * What an administrator does before a migration and after it, with the client that is made from openapi.json: a service
 * user with an expiring token and the role IAM_OWNER, a few operations with that token, and the end of both.
 * Compiled and run by ../admin-client.e2e-spec.ts, which puts the client beside it.
 */
import { createClient, createConfig } from './generated/client/index.js';
import * as admin from './generated/index.js';

const [baseUrl, administrator] = [process.env.ORIGIN!, process.env.TOKEN!];
const clientWith = (token: string) => createClient(createConfig({ baseUrl, auth: token, throwOnError: true }));
const withThrow = { throwOnError: true } as const;

const client = clientWith(administrator);
const {
  data: { org },
} = await admin.getDefaultOrg({ client, ...withThrow });
const headers = { 'x-service-orgid': org!.id };
const {
  data: { userId },
} = await admin.addMachineUser({
  client,
  headers,
  ...withThrow,
  body: {
    userName: 'migration',
    name: 'Migration',
    description: 'Until the move is done',
    accessTokenType: 'ACCESS_TOKEN_TYPE_BEARER',
  },
});
const expirationDate = new Date(Date.now() + 86_400_000).toISOString();
const {
  data: { token, tokenId },
} = await admin.addPersonalAccessToken({ client, headers, ...withThrow, path: { userId }, body: { expirationDate } });
await admin.addIamMember({ client, ...withThrow, body: { userId, roles: ['IAM_OWNER'] } });

const migration = clientWith(token);
const {
  data: { customText },
} = await admin.getDefaultInitMessageText({ client: migration, ...withThrow, path: { language: 'en' } });
const { data: idp } = await admin.addOidcidp({
  client: migration,
  ...withThrow,
  body: {
    name: 'Accounts of the example',
    clientId: 'gatehouse',
    clientSecret: 'the secret of this client',
    issuer: 'https://accounts.example.com',
    scopes: ['openid', 'email'],
    displayNameMapping: 'OIDC_MAPPING_FIELD_PREFERRED_USERNAME',
  },
});
const {
  data: { details: { totalResult } = {} },
} = await admin.listUsers({ client: migration, headers, ...withThrow, body: { query: { limit: 10 } } });
const {
  data: { result: tokens },
} = await admin.listPersonalAccessTokens({ client: migration, headers, ...withThrow, path: { userId }, body: {} });
await admin.removeIdp({ client: migration, ...withThrow, path: { idpId: idp.idpId } });

await admin.removeUser({ client, headers, ...withThrow, path: { id: userId } });
const { error, response } = await admin.getDefaultOrg({ client: createClient(createConfig({ baseUrl, auth: token })) });

console.log(
  JSON.stringify({
    title: customText?.title,
    isDefault: customText?.isDefault,
    idpId: idp.idpId,
    users: totalResult,
    tokens: tokens.map(({ id }) => id),
    tokenId,
    afterwards: { status: response?.status, code: error?.code },
  }),
);
