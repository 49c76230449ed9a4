import ts from 'typescript';

/**
 * Exported names of a script of the bundle (`(function(…){…return{name:local}})`) that it assigns inside of a function,
 * and so perhaps after those who import it took their values.
 */
export function assignedLater(script: string): string[] {
  const file = ts.createSourceFile('script.js', script, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  const body = findBody(file);
  const exported = exportedBy(body);
  const found = new Set<string>();
  const visit = (node: ts.Node, isLater: boolean): void => {
    if (isLater)
      for (const name of assignedBy(node)) if (exported.has(name.text) && !isOwn(name, body)) found.add(name.text);
    ts.forEachChild(node, (child) => visit(child, isLater || (ts.isFunctionLike(child) && !isCalledAtOnce(child))));
  };
  ts.forEachChild(body, (child) => visit(child, ts.isFunctionLike(child)));
  return [...found];
}

function findBody(file: ts.SourceFile): ts.Block {
  const [statement] = file.statements;
  const whole = statement && ts.isExpressionStatement(statement) ? statement.expression : undefined;
  const inner = whole && ts.isParenthesizedExpression(whole) ? whole.expression : undefined;
  if (!inner || !ts.isFunctionExpression(inner)) throw new Error('A script is one function in parentheses.');
  return inner.body;
}

function exportedBy(body: ts.Block): Set<string> {
  const last = body.statements.at(-1);
  if (!last || !ts.isReturnStatement(last) || !last.expression || !ts.isObjectLiteralExpression(last.expression))
    throw new Error('A script ends with what it exports.');
  return new Set(
    last.expression.properties.map((property) =>
      ts.isPropertyAssignment(property) ? property.initializer.getText() : property.name!.getText(),
    ),
  );
}

function isCalledAtOnce(node: ts.Node): boolean {
  let outer = node.parent;
  while (ts.isParenthesizedExpression(outer)) outer = outer.parent;
  return ts.isCallExpression(outer) && !outer.arguments.includes(node as ts.Expression);
}

function assignedBy(node: ts.Node): ts.Identifier[] {
  if (ts.isBinaryExpression(node) && isAssignment(node.operatorToken.kind)) return namesIn(node.left);
  if (ts.isPostfixUnaryExpression(node)) return namesIn(node.operand);
  const isStep = ts.isPrefixUnaryExpression(node) && /^(\+\+|--)/.test(node.getText());
  return isStep ? namesIn(node.operand) : [];
}

function isAssignment(kind: ts.SyntaxKind): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}

/** Of a target such as `a`, `[a, b]` or `{ key: a }`. A property, such as `a.b`, is not a name. */
function namesIn(target: ts.Node): ts.Identifier[] {
  if (ts.isIdentifier(target)) return [target];
  if (ts.isPropertyAssignment(target)) return namesIn(target.initializer);
  if (ts.isShorthandPropertyAssignment(target)) return [target.name];
  if (ts.isSpreadElement(target) || ts.isSpreadAssignment(target)) return namesIn(target.expression);
  if (ts.isArrayLiteralExpression(target)) return target.elements.flatMap(namesIn);
  return ts.isObjectLiteralExpression(target) ? target.properties.flatMap(namesIn) : [];
}

/** Whether a function or block around it, inside of the script, declares the name. */
function isOwn(name: ts.Identifier, body: ts.Block): boolean {
  for (let around: ts.Node = name.parent; around !== body; around = around.parent)
    if (declares(around, name.text)) return true;
  return false;
}

function declares(node: ts.Node, name: string): boolean {
  if (!ts.isFunctionLike(node) && !ts.isBlock(node) && !ts.isIterationStatement(node, false) && !ts.isCatchClause(node))
    return false;
  let isFound = false;
  const look = (child: ts.Node): void => {
    const isDeclaration = ts.isVariableDeclaration(child) || ts.isParameter(child) || ts.isBindingElement(child);
    if (isDeclaration && ts.isIdentifier(child.name) && child.name.text === name) isFound = true;
    if ((ts.isFunctionDeclaration(child) || ts.isClassDeclaration(child)) && child.name?.text === name) isFound = true;
    if (!isFound && !ts.isFunctionLike(child)) ts.forEachChild(child, look);
  };
  ts.forEachChild(node, look);
  return isFound;
}
