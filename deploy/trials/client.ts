import { connect, each, getUserByID, isRefusal, listUsers } from 'gatehouse/client';

const [url = '', token = ''] = process.argv.slice(2);
const gatehouse = connect({ url, token });
const error: unknown = await getUserByID(gatehouse, { id: '404' }).catch((thrown: unknown) => thrown);
if (!isRefusal(error, getUserByID, 'user.not_found')) throw error;
const names: string[] = [];
for await (const { userName } of each(gatehouse, listUsers, { query: { limit: 1 } })) names.push(userName);
console.log(JSON.stringify(names));
