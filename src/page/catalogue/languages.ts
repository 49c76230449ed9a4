// A language is one file beside this one and one line here. A tag with a hyphen is exported as a string: { default as "pt-BR" }.
export { default as bg } from './bg.json' with { type: 'json' };
export { default as cs } from './cs.json' with { type: 'json' };
export { default as de } from './de.json' with { type: 'json' };
export { default as en } from './en.json' with { type: 'json' };
export { default as es } from './es.json' with { type: 'json' };
export { default as fr } from './fr.json' with { type: 'json' };
export { default as hu } from './hu.json' with { type: 'json' };
export { default as id } from './id.json' with { type: 'json' };
export { default as mk } from './mk.json' with { type: 'json' };
export { default as nl } from './nl.json' with { type: 'json' };
export { default as pl } from './pl.json' with { type: 'json' };
export { default as pt } from './pt.json' with { type: 'json' };
export { default as ro } from './ro.json' with { type: 'json' };
export { default as ru } from './ru.json' with { type: 'json' };
export { default as sv } from './sv.json' with { type: 'json' };
export { default as uk } from './uk.json' with { type: 'json' };
export { default as zh } from './zh.json' with { type: 'json' };
