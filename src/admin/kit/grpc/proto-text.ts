import {
  ANNOTATIONS,
  type HttpRule,
  inFileOrder,
  type ProtoEnum,
  type ProtoField,
  type ProtoFile,
  type ProtoMessage,
  type ProtoMethod,
  type ProtoService,
} from './proto.js';

const HEADER = '// Written by "npm run proto". Do not edit.\n';

/** The text of a .proto file. */
export function protoText(file: ProtoFile): string {
  const parts = [
    'syntax = "proto3";',
    `package ${file.package};`,
    ...(file.imports.length === 0 ? [] : [file.imports.map((path) => `import "${path}";`).join('\n')]),
    ...(file.services ?? []).map(serviceText),
    ...file.messages.map(messageText),
    ...(file.enums ?? []).map((one) => enumText(one)),
    ...(file.path === ANNOTATIONS ? [optionText(file.methodOption!)] : []),
  ];
  return `${HEADER}\n${parts.join('\n\n')}\n`;
}

function serviceText({ name, methods, comment }: ProtoService): string {
  return `${commentText(comment)}service ${name} {\n${methods.map(methodText).join('\n\n')}\n}`;
}

function methodText({ name, input, output, streams, http, deprecated, comment }: ProtoMethod): string {
  const takes = streams === 'both' ? `stream ${input}` : input;
  const answers = streams === undefined ? output : `stream ${output}`;
  const options = [
    ...(deprecated === true ? ['    option deprecated = true;'] : []),
    ...(http ? [`    option (google.api.http) = ${routesText(http)};`] : []),
  ];
  const head = `${commentText(comment, '  ')}  rpc ${name}(${takes}) returns (${answers})`;
  return options.length === 0 ? `${head};` : `${head} {\n${options.join('\n')}\n  }`;
}

function routesText([first, ...others]: NonNullable<ProtoMethod['http']>): string {
  const additional = others.map((one) => `      additional_bindings: { ${ruleText(one)} }\n`).join('');
  return additional === '' ? `{ ${ruleText(first)} }` : `{\n      ${ruleText(first)}\n${additional}    }`;
}

function ruleText({ method, path, takesBody }: HttpRule): string {
  return `${method}: "${path}"${takesBody ? ' body: "*"' : ''}`;
}

function messageText({ name, fields, reserved = [], enums = [], comment }: ProtoMessage): string {
  const head = `${commentText(comment)}message ${name} {`;
  if (fields.length + reserved.length === 0) return `${head}}`;
  const kept =
    reserved.length === 0
      ? []
      : [
          `  reserved ${reserved.map(({ number }) => number).join(', ')};`,
          `  reserved ${reserved.map((one) => `"${one.name}"`).join(', ')};`,
        ];
  const lines = inFileOrder(fields).map((field, index, all) => {
    const { oneof } = field;
    if (oneof === undefined) return fieldText(field, '  ');
    const opening = all[index - 1]?.oneof === oneof ? '' : `  oneof ${oneof} {\n`;
    const closing = all[index + 1]?.oneof === oneof ? '' : '\n  }';
    return `${opening}${fieldText(field, '    ')}${closing}`;
  });
  return `${head}\n${[...kept, ...lines, ...enums.map((one) => enumText(one, '  '))].join('\n')}\n}`;
}

function fieldText({ name, number, type, many, optional, comment }: ProtoField, indent: string): string {
  const typeName = 'scalar' in type ? type.scalar : 'message' in type ? type.message : type.choice;
  const label = many === true ? 'repeated ' : optional === true ? 'optional ' : '';
  return `${commentText(comment, indent)}${indent}${label}${typeName} ${name} = ${number};`;
}

function enumText({ name, values }: ProtoEnum, indent = ''): string {
  const lines = values.map((value) => `${indent}  ${value.name} = ${value.number};`);
  return `${indent}enum ${name} {\n${lines.join('\n')}\n${indent}}`;
}

function optionText(field: ProtoField): string {
  return `extend google.protobuf.MethodOptions {\n${fieldText(field, '  ')}\n}`;
}

function commentText(comment: string | undefined, indent = ''): string {
  return comment === undefined
    ? ''
    : `${comment
        .split('\n')
        .map((line) => `${indent}// ${line}`.trimEnd())
        .join('\n')}\n`;
}
