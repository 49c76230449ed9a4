/* What grpcurl learns by reflection, beside the operations of openapi.json. */

/** The paths whose operations have methods of gRPC. */
const ADMINISTRATIVE = /^\/(admin|management|auth)\/v1\/|^\/v2\//;
const AT_ONCE = 4;

/**
 * @param ask runs grpcurl with arguments, and fails if it does
 * @returns how many services, methods and messages it describes, and what is missing, surplus or without a description
 */
export async function compareReflection(ask, document) {
  const problems = [];
  const describe = async (symbol) => {
    const text = await ask('describe', symbol).catch(({ message }) => message);
    if (!/ is an? (service|method|message):\n/.test(text)) problems.push(`${symbol}: ${text}`);
    return text;
  };
  const services = (await ask('list')).trim().split('\n');
  await inParallel(services, describe);
  const methods = [];
  for (const service of services) methods.push(...(await ask('list', service)).trim().split('\n'));
  const descriptions = await inParallel(methods, describe);

  const messages = new Set(
    descriptions.flatMap((text) => [...text.matchAll(/\( (?:stream )?\.([\w.]+) \)/g)].map(([, name]) => name)),
  );
  await inParallel([...messages], describe);

  const described = new Set(descriptions.flatMap(routesOf));
  const documented = new Set(administrativeRoutesOf(document));
  for (const route of documented) if (!described.has(route)) problems.push(`${route} has no method`);
  for (const route of described) if (!documented.has(route)) problems.push(`${route} is not in openapi.json`);
  return { services: services.length, methods: methods.length, messages: messages.size, problems };
}

/** The verb and the path of `google.api.http`; names of parameters differ between the two. */
function routesOf(text) {
  return [...text.matchAll(/\b(get|put|post|delete|patch): "([^"]+)"/g)].map(([, verb, path]) => routeOf(verb, path));
}

function administrativeRoutesOf({ paths }) {
  return Object.entries(paths).flatMap(([path, operations]) =>
    ADMINISTRATIVE.test(path) ? Object.keys(operations).map((verb) => routeOf(verb, path)) : [],
  );
}

function routeOf(verb, path) {
  return `${verb} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`;
}

async function inParallel(items, work) {
  const results = [];
  for (let start = 0; start < items.length; start += AT_ONCE)
    results.push(...(await Promise.all(items.slice(start, start + AT_ONCE).map((item) => work(item)))));
  return results;
}
