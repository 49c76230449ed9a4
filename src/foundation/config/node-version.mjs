const NEEDED = 24;
/** As a package of somebody's program, where "npm ci" brings no Node. */
const isInstalled = import.meta.url.includes('/node_modules/');

/**
 * Ends the process with the remedy when an older Node than the needed one runs it. Plain JavaScript that any Node parses: scripts ask
 * it before anything is built.
 */
export function checkNodeVersion() {
  if (Number(process.versions.node.split('.')[0]) >= NEEDED) return;
  console.error(
    `Gatehouse needs Node ${NEEDED} and was started by Node ${process.versions.node} (${process.execPath}).\n` +
      (isInstalled ? remedyOfPrograms() : remedyOfClones()) +
      '  - if that is what you did, the install script of the package "node" did not run: "npm rebuild node --ignore-scripts=false" runs it;\n' +
      `  - or install Node ${NEEDED} on this machine.`,
  );
  process.exit(1);
}

function remedyOfPrograms() {
  return (
    'Either\n' +
    `  - run "npm install --save-dev node@${NEEDED}", which installs it into node_modules, and this through npm ("npm test", "npx"), which takes that one;\n`
  );
}

function remedyOfClones() {
  return (
    `"npm ci" installs Node ${NEEDED} into node_modules, and every npm script uses it. Either\n` +
    '  - run this through npm ("npm start", "npm test"), after "npm ci";\n'
  );
}
